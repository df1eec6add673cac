import Testing

@Suite struct PersistedPropertyExpansionTests {
  @Test func `a property reads and writes its slot`() {
    let expansion = Expander(
      """
      final class Note {
        @_PersistedProperty(3) var title: String
      }
      """)
    #expect(
      expansion.text == #"""
        final class Note {
          var title: String {
          @storageRestrictions(accesses: _$state, _title, initializes: _$marker_title)
          init(initialValue) {
            _title.initialize(initialValue, &_$state, 3, Note.self)
            _$marker_title = .init()
          }
          get {
            if _$state._isWatched { _$access(\.title) }
            if !_title.isLoaded { _$load(3) }
            return _title.get(self, 3)
          }
          set {
            if !_title.isLoaded { _$load(3) }
            _$willSet(3, \.title)
            _title.assign(newValue).apply(to: self, 3)
            _$didSet(\.title)
          }
          }

          @exclusivity(unchecked) private var _title = Roost._storage(for: String.self)

          private var _$marker_title: Roost._SwiftDataNoType
        }
        """#)
  }

  @Test func `a let gets no setter`() {
    let text = Expander("final class Note {\n  @_PersistedProperty(0) let id: UUID\n}").text
    #expect(text.contains("initializes: _$marker_id") && text.contains("get {"))
    #expect(!text.contains("set {"))
  }

  @Test func `a property that may have inherited ones before it counts from behind them`() {
    let text = Expander("class Car: Vehicle {\n  @_PersistedProperty(0, inherited: true) var doors: Int\n}").text
    #expect(text.contains("@storageRestrictions(accesses: _doors, initializes: _$marker_doors)"))
    #expect(text.contains("_doors.initialize(initialValue, Car._$base + 0, Car.self)"))
    #expect(text.contains("_$load(Car._$base + 0)"))
    #expect(text.contains(#"_$willSet(Car._$base + 0, \.doors)"#))
  }

  @Test(arguments: [
    ("var a: Int", "Roost._storage(for: Int.self)"),
    ("var a: [String]?", "Roost._storage(for: ([String]?).self)"),
    ("var a = Date()", "Roost._storage(for: Roost._typeOf(Date()))"),
    ("var a: Foundation.Data", "Roost._storage(for: Foundation.Data.self)"),
    ("var a: Chart.Data", "Roost._slot(Roost._storage(for: Chart.Data.self))"),
    ("var a: Duration", "Roost._slot(Roost._storage(for: Duration.self))"),
    ("var a: Outer.Kind", "Roost._slot(Roost._storage(for: Outer.Kind.self))"),
    ("var a: Note?", "Roost._slot(Roost._storage(for: (Note?).self))"),
    ("var a: String!", "Roost._storage(for: (String?).self)"),
    ("var a: [Tag]", "Roost._slot(Roost._storage(for: ([Tag]).self))"),
    ("var a: [String: [Int]]?", "Roost._slot(Roost._storage(for: ([String: [Int]]?).self))"),
    ("var a: Optional<Note>", "Roost._slot(Roost._storage(for: Optional<Note>.self))"),
    ("var a = Kind.a", "Roost._slot(Roost._storage(for: Roost._typeOf(Kind.a)))"),
    ("var a = 5 // five", "Roost._storage(for: Roost._typeOf(5))"),
    ("var a = { 5 }()", "Roost._slot(Roost._storage(for: Roost._typeOf({ 5 }())))"),
    ("@Attribute(.unique) var a: Int", "Roost._storage(for: Int.self)"),
    ("@Attribute(.externalStorage) var a: Data?", "Roost._externalStorage(Roost._storage(for: (Data?).self))"),
    (
      "@Attribute(.codable, .externalStorage) var a: Size",
      "Roost._externalStorage(Roost._slot(Roost._codableStorage(for: Size.self)))"
    ),
    ("@Attribute(.ephemeral) var a: Int", "Roost._storage(for: Int.self)"),
    (
      #"@Attribute(.transformable(by: "T")) var a: Any?"#,
      "Roost._transformableStorage(for: (Any?).self, by: _$transformer_a.self)"
    ),
    ("@Attribute(.transformable(by: T.self)) var a: Size", "Roost._transformableStorage(for: Size.self, by: T.self)"),
    ("@Attribute(.unique, .codable) var a: Size", "Roost._slot(Roost._codableStorage(for: Size.self))"),
    ("private(set) var a: Int", "Roost._storage(for: Int.self)"),
  ])
  func `the slot is chosen by type`(declaration: String, storage: String) {
    let attributed =
      declaration.hasPrefix("@")
      ? declaration.replacing(" var", with: " @_PersistedProperty(0) var")
      : "@_PersistedProperty(0) \(declaration)"
    let text = Expander("final class Note {\n  \(attributed)\n}").text
    #expect(text.contains("private var _a = \(storage)\n"))
  }

  @Test func `a value that may be in a file is not read to be replaced`() {
    let text = Expander(
      "final class Note {\n  @Attribute(.externalStorage) @_PersistedProperty(3) var image: Data\n}"
    ).text
    #expect(
      text.contains(
        #"""
          set {
            _$willSet(3, \.image)
            _image.assign(newValue).apply(to: self, 3)
            _$didSet(\.image)
          }
        """#), "\(text)")
  }

  @Test func `a type named as one of a model's associated types is told apart from it`() {
    let text = Expander("final class Leaf {\n  @_PersistedProperty(0) var root: Root? = nil\n}").text
    #expect(text.contains("private typealias _$type_root = Root?"))
    #expect(text.contains("private var _root = Roost._slot(Roost._storage(for: _$type_root.self))"))
  }

  @Test func `a transformer's name becomes a type`() {
    let text = Expander(
      #"class Leaf {\n  @Attribute(.transformable(by: "T")) @_PersistedProperty(0) var a: Any?\n}"#.replacing(
        #"\n"#, with: "\n")
    ).text
    #expect(text.contains("private nonisolated enum _$transformer_a: Roost._TransformerName {"))
    #expect(text.contains(#"static var name: String { "T" }"#))
  }

  @Test func `outside a class nothing is added`() {
    let text = Expander("@_PersistedProperty(0) let a = 5").text
    #expect(!text.contains("get"))
  }
}
