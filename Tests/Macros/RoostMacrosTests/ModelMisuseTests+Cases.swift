extension ModelMisuseTests {
  static let classes = [
    Misuse(
      "a struct", "@Model struct Note {}", "1:1: @Model needs a class, not a struct: models are objects with identity"),
    Misuse(
      "an enum", "@Model enum Note {}", "1:1: @Model needs a class, not an enum: models are objects with identity"),
    Misuse(
      "an actor", "@Model actor Note {}", "1:1: @Model needs a class, not an actor: models are objects with identity"),
    Misuse(
      "a protocol", "@Model protocol Note {}",
      "1:1: @Model needs a class, not a protocol: models are objects with identity"),
    Misuse(
      "a generic class", "@Model final class Note<T> {}",
      "1:24: @Model class 'Note' cannot be generic: a schema needs one concrete type a table"),
  ]

  static let names = [
    Misuse.inModel(
      "the identifier", "var persistentModelID: Int",
      "2:7: 'persistentModelID' is a name that every model already has; rename the property"),
    .inModel(
      "what describes the properties, in backticks", "var `schemaMetadata`: Bool",
      "2:7: '`schemaMetadata`' is a name that every model already has; rename the property"),
    .inModel(
      "the state", "var _$state: Int", "2:7: '_$state' is a name that every model already has; rename the property"),
    .inModel(
      "the storage of another property", "var title: String\n  var _title: String { title }",
      "3:7: '_title' is where @Model keeps the value of 'title'; rename one of the two"),
    .inModel(
      "a method of that name", "var title: String\n  func _title() -> String { title }",
      "3:8: '_title' is where @Model keeps the value of 'title'; rename one of the two"),
  ]

  static let declarations = [
    Misuse.inModel(
      "let", "let id: UUID",
      "2:3: persisted property 'id' cannot be 'let' in the Swift 6 language mode, because the store fills it in after 'init'; "
        + "use 'private(set) var', or mark it @Transient to keep it out of the store",
      fixes: [
        "use 'private(set) var'": "private(set) var id: UUID", "mark it @Transient": "@Transient let id: UUID",
      ]),
    .inModel(
      "public let behind a comment", "/// The key.\n  public let id = UUID() // made here",
      "3:10: persisted property 'id' cannot be 'let' in the Swift 6 language mode, because the store fills it in after 'init'; "
        + "use 'private(set) var', or mark it @Transient to keep it out of the store",
      fixes: [
        "use 'private(set) var'": "/// The key.\n  public private(set) var id = UUID() // made here",
        "mark it @Transient": "/// The key.\n  @Transient public let id = UUID() // made here",
      ]),
    .inModel(
      "private let", "private let id: UUID",
      "2:11: persisted property 'id' cannot be 'let' in the Swift 6 language mode, because the store fills it in after 'init'; "
        + "use 'var', or mark it @Transient to keep it out of the store",
      fixes: ["use 'var'": "private var id: UUID", "mark it @Transient": "@Transient private let id: UUID"]),
    .inModel(
      "lazy", "lazy var slow = 1",
      "2:3: a persisted property cannot be 'lazy'; remove 'lazy', or mark the property @Transient",
      fixes: ["remove 'lazy'": "var slow = 1", "mark it @Transient": "@Transient lazy var slow = 1"]),
    .inModel(
      "weak", "private weak var owner: Note?",
      "2:11: a persisted property cannot be 'weak'; remove 'weak': "
        + "models that refer to each other do not keep each other alive",
      fixes: [
        "remove 'weak'": "private var owner: Note?", "mark it @Transient": "@Transient private weak var owner: Note?",
      ]),
    .inModel(
      "unowned", "unowned(unsafe) var owner: Note",
      "2:3: a persisted property cannot be 'unowned'; remove 'unowned': "
        + "models that refer to each other do not keep each other alive",
      fixes: [
        "remove 'unowned(unsafe)'": "var owner: Note",
        "mark it @Transient": "@Transient unowned(unsafe) var owner: Note",
      ]),
    .inModel(
      "observers", "var count: Int = 0 { willSet {} didSet {} }",
      "2:24: 'willSet' of persisted property 'count' is never called, as in SwiftData; "
        + "change it through a method or a computed property, or mark it @Transient",
      "2:35: 'didSet' of persisted property 'count' is never called, as in SwiftData; "
        + "change it through a method or a computed property, or mark it @Transient"),
    .inModel(
      "a property wrapper", "@Published var count = 0",
      "2:3: '@Published' cannot be on a persisted property, whose storage is @Model's; "
        + "remove it, or mark the property @Transient",
      fixes: ["mark it @Transient": "@Transient @Published var count = 0"]),
    .inModel(
      "several names", "var a, b: Int", "2:7: a @Model class needs one declaration a property",
      fixes: ["declare each property on its own": "var a: Int\n  var b: Int"]),
    .inModel(
      "several names with defaults", "/// Both.\n  private var a = 1, b: Int? = nil, c, d: String // all",
      "3:15: a @Model class needs one declaration a property",
      fixes: [
        "declare each property on its own":
          "/// Both.\n  private var a = 1\n  private var b: Int? = nil\n  private var c: String\n"
          + "  private var d: String // all"
      ]),
    .inModel(
      "a tuple pattern", "var (a, b) = (1, 2)",
      "2:7: a persisted property cannot be declared by a pattern; declare each property on its own"),
    .inModel(
      "a property inside #if", "#if DEBUG\n  #if os(Linux)\n  var log: String\n  #endif\n  #endif",
      "4:3: a persisted property cannot stand inside '#if': the schema would depend on how the program was built; "
        + "move it out, or mark it @Transient",
      fixes: [
        "mark it @Transient": "#if DEBUG\n  #if os(Linux)\n  @Transient var log: String\n  #endif\n  #endif"
      ]),
    .inModel(
      "constraints inside #if",
      "var a: Int\n  #if DEBUG\n  #Unique<Note>([\\.a])\n  #else\n  #Index<Note>([\\.a])\n  #endif",
      "4:3: #Unique cannot stand inside '#if': the schema would depend on how the program was built; move it out",
      "6:3: #Index cannot stand inside '#if': the schema would depend on how the program was built; move it out"),
    .inModel(
      "attributes inside #if", "#if DEBUG\n  @Transient\n  #else\n  @Attribute(.unique)\n  #endif\n  var a: Int",
      "3:3: @Transient cannot stand inside '#if': the schema would depend on how the program was built; move it out",
      "5:3: @Attribute cannot stand inside '#if': the schema would depend on how the program was built; move it out"),
  ]

  static let types = [
    Misuse.inModel("no type", "var a", "2:7: persisted property 'a' needs a type"),
    .inModel(
      "an empty array", "var a = []", "2:11: persisted property 'a' needs a written type, because '[]' alone has none"),
    .inModel(
      "an empty dictionary", "var a = [:]",
      "2:11: persisted property 'a' needs a written type, because '[:]' alone has none"),
    .inModel(
      "nil", "var a = nil", "2:11: persisted property 'a' needs a written type, because 'nil' alone has none"),
    .inModel(
      "a case", "var a = .b", "2:11: persisted property 'a' needs a written type, because '.b' alone has none"),
    .inModel(
      "an initialiser", "var a = .init(b: 1).c",
      "2:11: persisted property 'a' needs a written type, because '.init(b: 1).c' alone has none"),
    unstorable("(Int, Int)", as: "a tuple"),
    unstorable("()", as: "a tuple"),
    unstorable("(() -> Void)?", part: "() -> Void", as: "a function"),
    unstorable("[any Shape]", part: "any Shape", as: "'any Shape'"),
    unstorable("some Shape", as: "'some Shape'"),
    unstorable("Any", as: "'Any'"),
    unstorable("Set<AnyHashable>", part: "AnyHashable", as: "'AnyHashable'"),
    unstorable("[String: Any]", part: "Any", as: "'Any'"),
    unstorable("Int.Type", as: "a type"),
    unstorable("A & B", as: "'A & B'"),
  ]

  private static func unstorable(_ type: String, part: String? = nil, as what: String) -> Misuse {
    let offset =
      type.ranges(of: part ?? type).first.map { type.distance(from: type.startIndex, to: $0.lowerBound) } ?? 0
    return .inModel(
      type, "var a: \(type)",
      "2:\(10 + offset): persisted property 'a' cannot hold \(what); "
        + "use a Codable struct or enum, a model, or mark the property @Transient")
  }
}
