extension AttributeMisuseTests {
  static let places = [
    Misuse("a global", "@Attribute var a = 1", "1:1: @Attribute belongs on a stored property of a @Model class"),
    Misuse(
      "a struct's property", "struct S {\n  @Transient var a = 1\n}",
      "2:3: @Transient belongs on a stored property of a @Model class"),
    .inModel(
      "a method", "@Relationship func f() {}", "2:3: @Relationship belongs on a stored property of a @Model class"),
    .inModel(
      "a computed property", "@Attribute(.unique) var a: Int { 1 }",
      "2:3: a computed property is not persisted; remove @Attribute", fixes: ["remove @Attribute": "var a: Int { 1 }"]),
    .inModel(
      "a computed property behind a comment", "/// Never stored.\n  @Attribute var a: Int { 1 }",
      "3:3: a computed property is not persisted; remove @Attribute",
      fixes: ["remove @Attribute": "/// Never stored.\n  var a: Int { 1 }"]),
    .inModel(
      "a static property", "@Attribute static var a = 1", "2:3: a static property is not persisted; remove @Attribute",
      fixes: ["remove @Attribute": "static var a = 1"]),
  ]

  static let meanings = [
    Misuse.inModel(
      "twice", "@Attribute(.unique) @Attribute(.externalStorage) var a: Data",
      "2:23: @Attribute is already on this property; put all its options into one",
      fixes: ["remove @Attribute": "@Attribute(.unique) var a: Data"]),
    .inModel(
      "attribute and relationship", "@Relationship @Attribute var a: Note?",
      "2:17: @Attribute cannot stand beside @Relationship; remove one of them",
      fixes: ["remove @Attribute": "@Relationship var a: Note?", "remove @Relationship": "@Attribute var a: Note?"]),
    .inModel(
      "attribute and transient", "@Attribute @Transient var a = 1",
      "2:3: @Attribute cannot stand beside @Transient; remove one of them",
      fixes: ["remove @Attribute": "@Transient var a = 1", "remove @Transient": "@Attribute var a = 1"]),
    .inModel(
      "a relationship to a scalar", "@Relationship var a: String?",
      "2:3: @Relationship needs a model, an optional model or an array of models, not 'String'; use @Attribute",
      fixes: ["remove @Relationship": "var a: String?"]),
    .inModel(
      "a relationship to many scalars", "@Relationship(deleteRule: .cascade) var a: [Foundation.UUID]",
      "2:3: @Relationship needs a model, an optional model or an array of models, not 'UUID'; use @Attribute",
      fixes: ["remove @Relationship": "var a: [Foundation.UUID]"]),
    .inModel(
      "a unique collection", "@Attribute(.spotlight, .unique) var a: [Note] = []",
      "2:26: a collection such as '[Note]' cannot be unique; only a single value can"),
    .inModel(
      "transient without default", "@Transient var a: Int",
      "2:18: transient property 'a' needs a default value or an optional type, "
        + "because a model loaded from the store has nothing to set it to",
      fixes: ["make it optional": "@Transient var a: Int?"]),
    .inModel(
      "a transient function without default", "@Transient var a: () -> Void",
      "2:18: transient property 'a' needs a default value or an optional type, "
        + "because a model loaded from the store has nothing to set it to",
      fixes: ["make it optional": "@Transient var a: (() -> Void)?"]),
  ]

  static let constraints = [
    Misuse("outside a model", "#Unique<Note>([\\.a])", "1:1: #Unique belongs inside a @Model class"),
    .inModel(
      "another model", "#Unique<Tag>([\\.a])",
      "2:11: #Unique inside 'Note' can only name its own properties; write '#Unique<Note>'",
      fixes: ["replace 'Tag' with 'Note'": "#Unique<Note>([\\.a])"]),
    .inModel("nothing", "#Index<Note>()", "2:3: #Index needs at least one array of key paths, such as '[\\.name]'"),
    .inModel(
      "an empty array", "#Index<Note>([\\.a], [])",
      "2:23: #Index cannot be over no property; name at least one, such as '[\\.name]'"),
    .inModel(
      "an empty kind", "#Index<Note>(.rtree([]))",
      "2:23: #Index cannot be over no property; name at least one, such as '[\\.name]'"),
    .inModel(
      "a variable in the array", "#Unique<Note>([\\.a, b])",
      "2:23: #Unique needs key path literals, such as '\\.name', which can be read while compiling"),
    .inModel(
      "a variable for the array", "#Unique<Note>(all)",
      "2:17: #Unique needs an array literal of key paths, such as '[\\.name]'"),
    .inModel(
      "no property in a full-text index", "#FullText<Note>([], tokenizer: .porter)",
      "2:19: #FullText cannot be over no property; name at least one, such as '[\\.name]'"),
    .inModel(
      "a full-text index of no string", "@Attribute(.fullText(tokenizer: .trigram)) var a: Int?",
      "2:14: only a String has a full-text index, not 'Int?'"),
    .inModel(
      "a full-text index of many strings", "@Attribute(.fullText) var a: [String]",
      "2:14: only a String has a full-text index, not '[String]'"),
    .inModel(
      "a kind of index on a unique constraint", "#Unique<Note>(.rtree([\\.a]))",
      "2:17: #Unique needs an array literal of key paths, such as '[\\.name]'"),
  ]

  static let actors = [
    Misuse(
      "a class", "@ModelActor final class Importer {}", "1:1: @ModelActor needs an actor, not a class",
      fixes: ["use 'actor'": "@ModelActor final actor Importer {}"]),
    Misuse(
      "a struct", "@ModelActor struct Importer {}", "1:1: @ModelActor needs an actor, not a struct",
      fixes: ["use 'actor'": "@ModelActor actor Importer {}"]),
    Misuse("an enum", "@ModelActor enum Importer {}", "1:1: @ModelActor needs an actor, not an enum"),
  ]
}
