import Testing

@testable import RoostMacros

@Suite struct ModelExpansionTests {
  @Test func `a model's former name is part of its schema`() {
    let expansion = Expander(#"@Model(originalName: "Note") final class Memo { var title = "" }"#)
    #expect(expansion.reports == [])
    #expect(
      expansion.text.contains(
        #"_$properties.append(Roost.Schema.PropertyMetadata(of: Memo.self, originalName: "Note"))"#))
  }

  @Test func `a root class gets state, schema, initialisers and conformances`() {
    let expansion = Expander(
      #"""
      @Model public final class Note {
        @Attribute(.unique, originalName: "name") var title: String
        var kind = Kind.a  // the default
        @Relationship(deleteRule: .cascade, inverse: \Tag.notes) var tags: [Tag] = []
        @Transient var scratch = 0
        #Unique<Note>([\.title])
        #Index<Note>([\.kind], [\.kind, \.title])
        var shout: String { title.uppercased() }
        static let shared = 1
        init(title: String) { self.title = title }
      }
      """#)
    #expect(expansion.reports == [])
    #expect(
      expansion.text == #"""
        public final class Note {
          @RoostDeclarations._PersistedProperty(0) var title: String
          @RoostDeclarations._PersistedProperty(1)
          var kind = Kind.a  // the default
          @RoostDeclarations._PersistedProperty(2) var tags: [Tag] = []
          var scratch = 0
          var shout: String { title.uppercased() }
          static let shared = 1
          @inline(never)
          init(title: String) { self.title = title }

          @exclusivity(unchecked) public var _$state = Roost._ModelState()

          public var _$stateAddress: Roost._StateAddress { .init(&_$state) }

          public nonisolated struct _$Unstored: Roost._UnstoredProperties {
            public init() {}
            @available(*, deprecated, message: "@Transient, not stored: fetches by it throw. Store it, or filter the fetched models")
            let scratch = Roost._path(\Note.scratch)
            @available(*, deprecated, message: "computed, not stored: fetches by it throw. Store it, or filter the fetched models")
            let shout = Roost._path(\Note.shout)
          }

          public static var schemaMetadata: [Roost.Schema.PropertyMetadata] {
            var _$properties: [Roost.Schema.PropertyMetadata] = []
            _$properties.append(Roost.Schema.PropertyMetadata(
              name: "title", keypath: \Note.title, slot: \Note._title,
              chained: { \Note?.?.title },
              defaultValue: nil,
              metadata: Roost.Schema.Attribute(.unique, originalName: "name")))
            _$properties.append(Roost.Schema.PropertyMetadata(
              name: "kind", keypath: \Note.kind, slot: \Note._kind,
              chained: { \Note?.?.kind },
              defaultValue: Kind.a,
              metadata: nil, coding: { Roost._coding(of: Roost._typeOf(Kind.a)) }))
            _$properties.append(Roost.Schema.PropertyMetadata(
              name: "tags", keypath: \Note.tags, slot: \Note._tags,
              chained: { \Note?.?.tags },
              defaultValue: ([]) as [Tag],
              metadata: Roost.Schema.Relationship(deleteRule: .cascade, inverse: \Tag.notes)))
            _$properties.append(Roost.Schema.PropertyMetadata(
              unique: Roost.Schema.Unique<Note>([\.title])))
            _$properties.append(Roost.Schema.PropertyMetadata(
              index: Roost.Schema.Index<Note>([\.kind], [\.kind, \.title])))
            return _$properties
          }

          public required init(_$row row: inout Roost._RowReader) {
            _$marker_title = .init()
            _$marker_kind = .init()
            _$marker_tags = .init()
            _$state = Roost._ModelState()
            _$read(&row)
          }

          public required init(backingData: any Roost.BackingData<Note>) {
            _$marker_title = .init()
            _$marker_kind = .init()
            _$marker_tags = .init()
            _$adopt(backingData)
          }

          public func _$read(_ row: inout Roost._RowReader) {
            row.read(&_title)
            row.read(&_kind)
            row.read(&_tags)
          }

          public func _$write(_ row: inout Roost._RowWriter) {
            row.write(&_title)
            row.write(&_kind)
            row.write(&_tags)
          }

          public func _$edit(_ edit: inout Roost._SlotEdit, at index: Int) {
            switch index {
            case 0: edit.apply(to: &_title)
            case 1: edit.apply(to: &_kind)
            case 2: edit.apply(to: &_tags)
            default: break
            }
          }
        }

        extension Note: nonisolated Roost.PersistentModel, nonisolated Observation.Observable {}

        @available(*, unavailable, message: "\#(DiagnosticText.modelsAreNotSendable)")
        extension Note: @unchecked Sendable {}
        """#)
  }

  @Test(arguments: [
    "var size: Int { get throws { 1 } }", "var size: Int { get async throws { 1 } }", "var size: some Equatable { 1 }",
    "var size: [some Equatable] { [1] }", "@MainActor var size: Int { 1 }", "@Transient @MainActor var size = 1",
    "@Drawing var size: Int { 1 }",
  ])
  func `no key path is made of a computed property that has none`(declaration: String) {
    let expansion = Expander("@Model final class Note {\n  var name: String\n  \(declaration)\n}")
    #expect(expansion.reports == [])
    #expect(!expansion.text.contains("Roost._path"))
    #expect(!expansion.text.contains("_$Unstored"))
  }

  @Test func `an internal class without properties gets the same members`() {
    let expansion = Expander("@Model final class Empty {\n}")
    #expect(
      expansion.text == #"""
        final class Empty {

          @exclusivity(unchecked) var _$state = Roost._ModelState()

          var _$stateAddress: Roost._StateAddress { .init(&_$state) }

          static var schemaMetadata: [Roost.Schema.PropertyMetadata] {
            []
          }

          required init(_$row row: inout Roost._RowReader) {
            _$read(&row)
          }

          required init(backingData: any Roost.BackingData<Empty>) {
            _$adopt(backingData)
          }

          func _$read(_ row: inout Roost._RowReader) {
          }

          func _$write(_ row: inout Roost._RowWriter) {
          }

          func _$edit(_ edit: inout Roost._SlotEdit, at index: Int) {
            switch index {
            default: break
            }
          }
        }

        extension Empty: nonisolated Roost.PersistentModel, nonisolated Observation.Observable {}

        @available(*, unavailable, message: "\#(DiagnosticText.modelsAreNotSendable)")
        extension Empty: @unchecked Sendable {}
        """#)
  }

  @Test func `a subclass adds to what its superclass has`() {
    let expansion = Expander(
      """
      @Model class Car: Vehicle {
        var doors = 4
      }
      """, isSubclass: true)
    #expect(
      expansion.text == #"""
        class Car: Vehicle {
          @RoostDeclarations._PersistedProperty(0, inherited: true)
          var doors = 4

          private static let _$base: Int = Roost._propertyCount(Vehicle.self)

          static func _$keyPaths<_$Sub: Car>(of type: _$Sub.Type) -> [Roost._InheritedKeyPath] {
            var _$keyPaths: [Roost._InheritedKeyPath] = Vehicle._$keyPaths(of: type)
            _$keyPaths.append(.init(\_$Sub.doors, chained: \_$Sub?.?.doors))
            return _$keyPaths
          }

          override class var schemaMetadata: [Roost.Schema.PropertyMetadata] {
            var _$properties: [Roost.Schema.PropertyMetadata] = []
            _$properties.append(Roost.Schema.PropertyMetadata(
              of: Car.self, inherited: Vehicle._$keyPaths(of: Car.self)))
            _$properties.append(Roost.Schema.PropertyMetadata(
              name: "doors", keypath: \Car.doors, slot: \Car._doors,
              chained: { \Car?.?.doors },
              defaultValue: 4,
              metadata: nil))
            return _$properties
          }

          required init(_$row row: inout Roost._RowReader) {
            _$marker_doors = .init()
            super.init(_$row: &row)
          }

          required init(backingData: any Roost.BackingData<Vehicle.Root>) {
            _$marker_doors = .init()
            super.init(backingData: backingData)
          }

          override func _$read(_ row: inout Roost._RowReader) {
            super._$read(&row)
            row.read(&_doors)
          }

          override func _$write(_ row: inout Roost._RowWriter) {
            super._$write(&row)
            row.write(&_doors)
          }

          override func _$edit(_ edit: inout Roost._SlotEdit, at index: Int) {
            switch index - Car._$base {
            case 0: edit.apply(to: &_doors)
            default: super._$edit(&edit, at: index)
            }
          }
        }
        """#)
  }

  @Test func `a class that is final has no subclasses to name its properties for`() {
    #expect(!Expander("@Model final class Note {\n  var name: String\n}").text.contains("_$keyPaths"))
    let text = Expander("@Model final class Car: Vehicle {\n  var doors = 4\n}", isSubclass: true).text
    #expect(!text.contains("func _$keyPaths"))
    #expect(text.contains("override class var schemaMetadata"))
    #expect(text.contains("of: Car.self, inherited: Vehicle._$keyPaths(of: Car.self)"))
    let open = Expander("@Model open class Note {\n  var name: String\n}").text
    #expect(open.contains("public static func _$keyPaths<_$Sub: Note>(of type: _$Sub.Type)"))
    #expect(open.contains("var _$keyPaths: [Roost._InheritedKeyPath] = []"))
  }

  @Test func `a class with a protocol that might be a superclass starts counting at zero`() {
    let expansion = Expander("@Model final class Note: Named {\n  var name: String\n}")
    #expect(expansion.text.contains("@RoostDeclarations._PersistedProperty(0, inherited: true)"))
    #expect(expansion.text.contains("private static let _$base: Int = 0"))
    #expect(expansion.text.contains("switch index - Note._$base {"))
  }

  @Test(arguments: ["Codable", "Identifiable", "Swift.Hashable", "PersistentModel, Named"])
  func `a well-known protocol is no superclass`(clause: String) {
    let expansion = Expander("@Model final class Note: \(clause) {\n  var name: String\n}")
    #expect(!expansion.text.contains("inherited: true"))
    #expect(!expansion.text.contains("_$base"))
    #expect(expansion.text.contains("var _$state"))
  }

  @Test(arguments: [
    ("open class", "open class var schemaMetadata", "open func _$read", "public required init(_$row"),
    ("public class", "public class var schemaMetadata", "public func _$read", "public required init(_$row"),
    ("package final class", "package static var schemaMetadata", "package func _$read", "package required init(_$row"),
    ("private class", "  class var schemaMetadata", "  func _$read", "  required init(_$row"),
  ])
  func `members are as visible as their class`(declaration: String, schema: String, read: String, initializer: String) {
    let text = Expander("@Model \(declaration) Note {}").text
    #expect(text.contains(schema))
    #expect(text.contains(read))
    #expect(text.contains(initializer))
  }

  @Test func `names that need backticks keep them`() {
    let expansion = Expander("@Model final class Note {\n  var `default`: Int\n  var `my name`: Int\n}")
    #expect(expansion.reports == [])
    #expect(expansion.text.contains(#"name: "default", keypath: \Note.`default`, slot: \Note._default,"#))
    #expect(expansion.text.contains(#"name: "my name", keypath: \Note.`my name`, slot: \Note.`_my name`,"#))
  }

  @Test func `comments around a default stay out of the schema`() {
    let expansion = Expander(
      """
      @Model final class Note {
        var a: Int = 1 // one
        var b = 2 /* two */
        var c: [Int] = [
          3, // three
          4
        ] // all
      }
      """)
    #expect(expansion.text.contains("defaultValue: (1) as Int,"))
    #expect(expansion.text.contains("defaultValue: 2,"))
    #expect(!expansion.text.contains("] // all) as [Int]"))
  }

  @Test func `the lines of a default stay as they were written`() {
    let text = #"""
      """
          deep
        """
      """#
    let expansion = Expander("@Model final class Note {\n  var text = \(text)\n}")
    // The expander moves all lines alike.
    #expect(expansion.text.contains("defaultValue: \"\"\"\n      deep\n    \"\"\","))
  }

  @Test func `default values appear in the schema with their type`() {
    let expansion = Expander(
      """
      @Model final class Note {
        var kind: Kind = .a
        var forced: Int! = 1
        var nothing: Int? = nil
        var made = { 5 }()
        var chosen: Int = if Bool.random() { 1 } else { 2 }
        var named = switch Int.bitWidth { case 64: "long" default: "short" }
      }
      """)
    #expect(expansion.text.contains("defaultValue: (.a) as Kind,"))
    #expect(expansion.text.contains("defaultValue: (1) as Int?,"))
    #expect(expansion.text.contains("chained: { \\Note?.?.nothing },\n      defaultValue: nil,"))
    #expect(expansion.text.contains("defaultValue: { 5 }(),"))
    // An `if` is no expression among others.
    #expect(expansion.text.contains("defaultValue: ({ if Bool.random() { 1 } else { 2 } }()) as Int,"))
    let named = #"{ switch Int.bitWidth { case 64: "long" default: "short" } }()"#
    #expect(expansion.text.contains("defaultValue: \(named),"))
    #expect(expansion.text.contains("Roost._typeOf(\(named))"))
  }
}
