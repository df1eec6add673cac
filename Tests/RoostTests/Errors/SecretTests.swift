import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// A value to look for in errors and logs: two tests that share a log look for different ones.
private func makeMark(isTold: Bool) -> String { isTold ? "TOLD" : "SECRET" }

private struct Refusing: Codable {
  var text = "fine"
  var keyed: [String: Bad] = [:]

  struct Bad: Codable {
    var text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "\(text) cannot be encoded"))
    }
  }
}

private struct Wallet: Codable, Equatable {
  var owner: String
  var amount: Decimal
}

private struct NotSealed: Error { let text: String }
private enum Reason: Error { case unreadable(String) }

private enum Seal: AttributeTransformer {
  static func stored(_ value: String) throws -> String {
    if value.hasSuffix("!") { throw NotSealed(text: value) }
    return "sealed " + value
  }
  static func value(_ stored: String) throws -> String {
    guard stored.hasPrefix("sealed ") else { throw Reason.unreadable(stored) }
    return String(stored.dropFirst(7))
  }
}

private struct Word: RawRepresentable, Codable {
  var rawValue: String
  init?(rawValue: String) {
    if rawValue.contains(" ") { return nil }
    self.rawValue = rawValue
  }
}

private enum Kept {
  @Model final class Letter {
    #Unique<Letter>([\.code], onConflict: .reject)
    var code: String
    var text: String
    var refusing = Refusing()
    var wallet = Wallet(owner: "me", amount: 1)
    @Attribute(.transformable(by: Seal.self)) var seal = ""
    var word = Word(rawValue: "one")
    var price: Decimal = 0
    var number = 0

    init(_ code: String, _ text: String = "") { (self.code, self.text) = (code, text) }

  }
}

private enum V1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }
  @Model final class Note {
    var text: String
    var count = "0"
    init(_ text: String) { self.text = text }
  }
}

private enum V2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }
  @Model final class Note {
    var text: String
    var count: Int
    init(_ text: String, _ count: Int) { (self.text, self.count) = (text, count) }
  }
}

private enum Throwing: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [V1.self, V2.self]
  static let stages: [MigrationStage] = [
    .custom(
      from: V1.self, to: V2.self,
      steps: [
        .transform(\V1.Note.text, to: \V2.Note.count) { text in throw Reason.unreadable(text) }, .drop(\V1.Note.count),
      ])
  ]
}

/// What programs store is nobody's business who reads their errors and logs.
@Suite struct SecretTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeContext(_ reportsArguments: Bool) throws -> ModelContext {
    var configuration = ModelConfiguration(url: folder.store)
    configuration.storeOptions.reportsArguments = reportsArguments
    let context = ModelContext(try ModelContainer(for: Kept.Letter.self, configurations: configuration))
    let mark = makeMark(isTold: reportsArguments)
    for code in ["a", mark] { context.insert(Kept.Letter(code, mark)) }
    try context.save()
    return context
  }

  private typealias Failing = (ModelContext, Kept.Letter) throws -> Void

  /// Everything that fails, by whether the error tells the value where errors may.
  private static func failures(_ secret: String) -> [(String, Bool, Failing)] {
    func set(_ body: @escaping (Kept.Letter) -> Void) -> Failing {
      { context, letter in
        body(letter)
        try context.save()
      }
    }
    func change(_ assignment: Assignment<Kept.Letter>) -> Failing {
      { context, _ in _ = try context.update(model: Kept.Letter.self, set: assignment) }
    }
    func find(_ predicate: Predicate<Kept.Letter>) -> Failing {
      { context, _ in _ = try context.fetch(FetchDescriptor(predicate: predicate)) }
    }
    let bad = Refusing(text: secret, keyed: [secret: .init(secret)])
    let poor = Wallet(owner: secret, amount: .nan)
    return [
      ("an encoder's error", true, set { $0.refusing = bad }), ("a NaN", false, set { $0.wallet = poor }),
      ("a transformer's error", true, set { $0.seal = secret + "!" }),
      ("a raw value", false, set { $0.word?.rawValue = secret + " two" }),
      ("a unique value", true, set { $0.code = secret }),
      (
        "a new unique value", false,
        { context, _ in
          context.insert(Kept.Letter(secret))
          try context.save()
        }
      ),
      ("an update's value", true, change(.set(\.refusing, to: bad))),
      ("an update's NaN", false, change(.set(\.wallet, to: poor))),
      ("an update's transformer", true, change(.set(\.seal, to: secret + "!"))),
      ("an update's unique value", false, change(.set(\.code, to: secret))),
      ("a predicate", false, find(#Predicate { $0.seal == secret })),
      ("a predicate's lists", false, find(#Predicate { [secret, "a"].contains($0.seal) })),
      ("a predicate's constant", false, find(#Predicate { $0.wallet == poor && $0.seal == "" })),
      ("a search", false, { context, _ in _ = try context.search(Kept.Letter.self, for: secret) }),
      (
        "SQL", true,
        { context, _ in _ = try context.rows(sql: "SELECT \(Refusing.Bad(secret))", as: String.self) }
      ),
      (
        "SQL that is wrong", false,
        { context, _ in try context.execute(sql: "UPDATE \(Kept.Letter.self) SET nothing = \(secret)") }
      ),
      ("SQL's rows", false, { context, _ in _ = try context.rows(sql: "SELECT \(secret)", as: Int.self) }),
      (
        "SQL's violated constraint", true,
        { context, _ in try context.execute(sql: "UPDATE \(Kept.Letter.self) SET \(\Kept.Letter.code) = \(secret)") }
      ),
      (
        "a sum", false,
        { context, _ in
          try context.execute(sql: "UPDATE \(Kept.Letter.self) SET \(\Kept.Letter.price) = \(secret)")
          _ = try context.aggregate(FetchDescriptor<Kept.Letter>(), .sum(\.price))
        }
      ),
      (
        "a fetch", false,
        { context, _ in
          try context.execute(sql: "UPDATE \(Kept.Letter.self) SET \(\Kept.Letter.wallet) = \(secret)")
          _ = try ModelContext(context.container).fetch(FetchDescriptor<Kept.Letter>())
        }
      ),
      (
        "a fetched transformer", false,
        { context, _ in
          try context.execute(sql: "UPDATE \(Kept.Letter.self) SET \(\Kept.Letter.seal) = \(secret)")
          _ = try ModelContext(context.container).fetch(FetchDescriptor<Kept.Letter>())
        }
      ),
      (
        "a getter", false,
        { context, letter in
          try context.execute(sql: "UPDATE \(Kept.Letter.self) SET \(\Kept.Letter.wallet) = \(secret)")
          let other = try #require(
            ModelContext(context.container).model(for: letter.persistentModelID) as? Kept.Letter)
          #expect(other.number == 0)
          _ = try other.readValue(forKey: \.wallet)
        }
      ),
      (
        "a snapshot", false,
        { _, letter in
          let other = Kept.Letter("b")
          other.refusing = bad
          try letter.apply(other.snapshot())
        }
      ),
      (
        "a snapshot's coding", false,
        { _, letter in
          letter.refusing = bad
          _ = try JSONEncoder().encode(letter.snapshot())
        }
      ),
      (
        "an archived predicate", false,
        { _, _ in
          let predicate = #Predicate<Kept.Letter> { $0.code == secret || $0.number == 1 }
          var configuration = PredicateCodableConfiguration()
          configuration.allowKeyPath(\Kept.Letter.number, identifier: "number")
          _ = try JSONEncoder().encode(predicate, configuration: configuration)
        }
      ),
    ]
  }

  private func texts(_ error: any Error) -> [String] {
    let own = error as? SwiftDataError
    return [
      "\(error)", String(reflecting: error), error.localizedDescription, own?.message ?? "", own?.remedy ?? "",
      own?.recoverySuggestion ?? "", own?.underlying.map { "\($0)" } ?? "", own?.sql ?? "",
    ]
  }

  @Test(arguments: [false, true])
  func `errors and logs tell a value only where they may`(_ reportsArguments: Bool) throws {
    let mark = makeMark(isTold: reportsArguments)
    for (name, tells, body) in Self.failures(mark) {
      let folder = try SecretTests()
      let context = try folder.makeContext(reportsArguments)
      let letter = try #require(
        try context.fetch(FetchDescriptor<Kept.Letter>(predicate: #Predicate { $0.code == "a" })).first)
      var found: (any Error)?
      let log = CapturedLog.lines {
        do { try body(context, letter) } catch { found = error }
      }
      let error = try #require(found, "\(name) does not fail")
      let told = (texts(error) + log).filter { $0.contains(mark) }
      if reportsArguments, tells {
        #expect(!told.isEmpty, "\(name): \(error)")
      } else if !reportsArguments {
        #expect(told.isEmpty, "\(name): \(told)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `so do the errors of migrations`(_ reportsArguments: Bool) throws {
    let store = try Migrated()
    let mark = makeMark(isTold: reportsArguments)
    try store.open(V1.Note.self) { $0.insert(V1.Note(mark)) }
    for plan in [nil, Throwing.self] as [(any SchemaMigrationPlan.Type)?] {
      let configuration = store.configuration(reportsArguments: reportsArguments)
      let error = #expect(throws: SwiftDataError.self) {
        try ModelContainer(for: Schema([V2.Note.self]), migrationPlan: plan, configurations: [configuration])
      }
      let told = error.map { texts($0) + $0.obstacles.map(\.description) } ?? []
      if !reportsArguments { #expect(!told.contains { $0.contains(mark) }, "\(told)") }
      if reportsArguments, plan != nil { #expect(told.contains { $0.contains(mark) }) }
    }
  }

  @Test func `an error about a store in memory says so, and names no file`() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    let container = try ModelContainer(for: Tag.self, configurations: configuration)
    let connection = try Connection(configuration.connectionOptions)
    try connection.execute("UPDATE _roost_meta SET value = '99' WHERE key = 'format'")
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelContainer(for: Tag.self, configurations: configuration)
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("store in memory") && !text.contains("/dev/null"), "\(text)")
    #expect(error?.url == nil)
    withExtendedLifetime(container) {}
  }
}
