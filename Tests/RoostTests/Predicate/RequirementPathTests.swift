import Foundation
import Roost
import RoostTesting
import Testing

private protocol Titled {
  var title: String { get }
}

/// Its first requirement is at the same place and of the same type as that of `Titled`.
private protocol Subtitled {
  var subtitle: String { get }
}

private protocol Described: AnyObject, Subtitled {
  var count: Int { get set }
  var isDone: Bool { get }
  var note: String? { get }
  var date: Date { get }
  var state: Piece.State { get }
  var owner: Piece? { get }
  var parts: [Piece] { get }
  var words: [String] { get }
}

private protocol Computed {
  var upper: String { get }
  var trimmed: String { get }
  var named: String { get }
  var first: String { get }
  var positive: Int { get }
  var either: Bool { get }
  var sorted: [String] { get }
  var open: [Piece] { get }
  var owned: Piece? { get }
  var constant: String { get }
  var scratch: String { get }
  var path: String { get }
}

@Model private class Piece {
  enum State: String, Codable { case open, closed, other }

  var title: String
  var subtitle = ""
  var count = 0
  var isDone = false
  var note: String?
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var state = State.open
  var owner: Piece?
  @Relationship(inverse: \Piece.owner) var parts: [Piece] = []
  var words: [String] = []
  @Transient var scratch = ""

  init(_ title: String, subtitle: String = "", count: Int = 0) {
    self.title = title
    self.subtitle = subtitle
    self.count = count
  }
}

@Model private final class SpecialPiece: Piece {
  var extra = 0

  override init(_ title: String, subtitle: String = "", count: Int = 0) {
    super.init(title, subtitle: subtitle, count: count)
  }
}

extension Piece: Titled, Described {}

extension Piece: Computed {
  var upper: String { title.uppercased() }
  var trimmed: String { title.isEmpty ? "Untitled" : title }
  var named: String { note ?? title }
  var first: String { String(title.first!) }
  var positive: Int { max(count, 0) }
  var either: Bool { isDone || count > 0 }
  var sorted: [String] { words.sorted() }
  var open: [Piece] { parts.filter { !$0.isDone } }
  var owned: Piece? { owner?.owner ?? owner }
  var constant: String { "1" }
  var path: String { (owner.map(\.path) ?? "") + title }
}

/// Key paths that generic code makes of a protocol's requirements.
@Suite struct RequirementPathTests {
  private let context: ModelContext
  private let recorder = StatementRecorder()
  private let pieces = [
    Piece("a", subtitle: "b", count: 3), Piece("b", subtitle: "a", count: 2),
    SpecialPiece("É", subtitle: "b", count: 1),
  ]

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    context = ModelContext(try ModelContainer(for: Piece.self, SpecialPiece.self, configurations: configuration))
    for piece in pieces { context.insert(piece) }
    pieces[1].isDone = true
    pieces[1].note = "n"
    pieces[1].owner = pieces[0]
    pieces[1].words = ["w"]
    pieces[2].state = .closed
    pieces[2].date = .distantFuture
    try context.save()
  }

  private func titles<Model: PersistentModel & Titled>(
    _ predicate: Predicate<Model>, _ order: SortDescriptor<Model> = SortDescriptor(\.title)
  ) throws -> [String] {
    let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [order]))
    #expect(Set(found) == Set(try pieces.compactMap { $0 as? Model }.filter { try predicate.evaluate($0) }))
    return found.map(\.title)
  }

  private func checkTwo<Model: PersistentModel & Titled & Subtitled>(_ type: Model.Type) throws {
    #expect(try titles(#Predicate<Model> { $0.title == "a" }) == ["a"])
    #expect(try titles(#Predicate<Model> { $0.subtitle == "a" }) == ["b"])
    #expect(try titles(#Predicate<Model> { $0.title > $0.subtitle }) == ["b", "É"])
    #expect(try titles(#Predicate<Model> { _ in true }, SortDescriptor(\.subtitle)).first == "b")
  }

  @Test func `requirements of two protocols at the same place are told apart`() throws {
    for _ in 0..<3 { try checkTwo(Piece.self) }
  }

  private func checkAll<Model: PersistentModel & Titled & Described>(_ type: Model.Type, owner: Piece) throws {
    let state = Piece.State.closed
    let id = owner.id
    #expect(try titles(#Predicate<Model> { $0.count >= 2 && !$0.isDone }) == ["a"])
    #expect(try titles(#Predicate<Model> { $0.note == nil }) == ["a", "É"])
    #expect(try titles(#Predicate<Model> { $0.note?.isEmpty == false }) == ["b"])
    #expect(try titles(#Predicate<Model> { $0.state == state }) == ["É"])
    #expect(try titles(#Predicate<Model> { $0.owner?.id == id && $0.owner?.title == "a" }) == ["b"])
    #expect(try titles(#Predicate<Model> { $0.parts.contains { $0.isDone } }) == ["a"])
    #expect(try titles(#Predicate<Model> { $0.words.contains("w") }) == ["b"])
    #expect(try titles(#Predicate<Model> { _ in true }, SortDescriptor(\.count)) == ["É", "b", "a"])
    #expect(try titles(#Predicate<Model> { _ in true }, SortDescriptor(\.isDone, order: .reverse)).first == "b")
    #expect(try titles(#Predicate<Model> { _ in true }, SortDescriptor(\.note, order: .reverse)).first == "b")
    #expect(try titles(#Predicate<Model> { _ in true }, SortDescriptor(\.date, order: .reverse)).first == "É")
    #expect(
      try titles(#Predicate<Model> { _ in true }, SortDescriptor(\.title, comparator: .localizedStandard))
        == ["a", "b", "É"])
  }

  @Test func `a requirement may be a property of any kind`() throws { try checkAll(Piece.self, owner: pieces[0]) }

  @Test func `a subclass meets its superclass's requirements`() throws {
    func check<Model: PersistentModel & Titled & Described>(_ type: Model.Type) throws {
      #expect(try titles(#Predicate<Model> { $0.title == "É" && $0.subtitle == "b" }) == ["É"])
      #expect(try titles(#Predicate<Model> { $0.title == "a" }) == [])
    }
    try check(SpecialPiece.self)
    func cast<Model: PersistentModel & Titled>(_ type: Model.Type) throws -> [String] {
      try context.fetch(FetchDescriptor<Piece>(predicate: #Predicate { ($0 as? Model)?.title == "É" })).map(\.title)
    }
    #expect(try cast(SpecialPiece.self) == ["É"])
  }

  private func checkComputed<Model: PersistentModel & Computed>(_ type: Model.Type) {
    func refuses<Value>(_ keyPath: KeyPath<Model, Value>) {
      let context = context
      #expect(throws: SwiftDataError.unsupportedKeyPath) {
        var descriptor = FetchDescriptor<Model>()
        descriptor.propertiesToFetch = [keyPath]
        _ = try context.fetch(descriptor)
      }
    }
    refuses(\Model.upper)
    refuses(\Model.trimmed)
    refuses(\Model.named)
    refuses(\Model.first)
    refuses(\Model.positive)
    refuses(\Model.either)
    refuses(\Model.sorted)
    refuses(\Model.open)
    refuses(\Model.owned)
    refuses(\Model.constant)
    refuses(\Model.scratch)
    refuses(\Model.path)
  }

  @Test func `a requirement met by a computed property is refused before any SQL`() {
    #expect(recorder.statements { checkComputed(Piece.self) }.isEmpty)
  }

  @Test func `a requirement's predicate can be archived`() throws {
    func make<Model: PersistentModel & Titled>(_ type: Model.Type) -> Predicate<Model> {
      #Predicate { $0.title == "b" }
    }
    var configuration = PredicateCodableConfiguration.standardConfiguration
    configuration.allowKeyPathsForProperties(of: Piece.self)
    let data = try JSONEncoder().encode(make(Piece.self), configuration: configuration)
    let again = try JSONDecoder().decode(Predicate<Piece>.self, from: data, configuration: configuration)
    #expect(try titles(again) == ["b"])
  }

  @Test func `a requirement is read, fetched alone and changed in bulk`() throws {
    func check<Model: PersistentModel & Titled & Described>(_ type: Model.Type) throws {
      let piece = try #require(try context.fetch(FetchDescriptor<Model>(sortBy: [SortDescriptor(\.title)])).first)
      try #expect(piece.readValue(forKey: \.title) == "a")
      var descriptor = FetchDescriptor<Model>(sortBy: [SortDescriptor(\.title)])
      descriptor.propertiesToFetch = [\.title]
      #expect(try ModelContext(context.container).fetch(descriptor).map(\.title) == ["a", "b", "É"])
      try #expect(
        context.update(model: Model.self, where: #Predicate { $0.title == "a" }, set: .set(\.count, to: 9)) == 1)
      #expect(piece.count == 9)
    }
    try check(Piece.self)
  }
}
