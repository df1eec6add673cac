import Foundation
import Roost
import RoostCore
import RoostMigration
import RoostQuery
import RoostSQL
import RoostTesting
import Synchronization
import Testing

/// Predicates that are deep or long work, or are an error: they neither crash nor end in SQLite.
@Suite struct PredicateDepthTests {
  private let recorder = StatementRecorder()
  private let context: ModelContext

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    context = ModelContext(try ModelContainer(for: Subject.self, configurations: configuration))
    for number in 0..<200 {
      let subject = Subject()
      subject.number = number
      subject.small = number % 7
      context.insert(subject)
    }
    try context.save()
  }

  /// A condition in a condition, and so on.
  private static func nested(_ depth: Int, _ kind: Kind) -> Predicate<Subject> {
    var predicate = #Predicate<Subject> { $0.number > 3 }
    for level in 0..<depth {
      let inner = predicate
      predicate =
        switch kind {
        case .negated: !inner
        case .captured: #Predicate { inner.evaluate($0) }
        case .both: #Predicate { !inner.evaluate($0) && $0.number != level }
        case .alternating:
          level.isMultiple(of: 2) ? #Predicate { $0.number == -1 } || inner : inner && #Predicate { $0.number != level }
        }
    }
    return predicate
  }

  enum Kind: CaseIterable { case negated, captured, both, alternating }

  /// Nodes of Foundation's alone, whose types are as deep.
  private static func negations(_ depth: Int) -> Predicate<Subject> {
    func negated(_ node: some StandardPredicateExpression<Bool>) -> Node<Bool> { PredicateExpressions.Negation(node) }
    return Predicate<Subject>({ subject in
      var node: Node<Bool> = PredicateExpressions.KeyPath(root: subject, keyPath: \.flag)
      for _ in 0..<depth { node = negated(node) }
      return node
    })
  }

  /// Runs on a thread that has half a megabyte of stack, as background threads do on Apple platforms.
  private func onSmallStack(_ body: @escaping @Sendable () -> [String]) -> [String] {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<[String]>([])
    let thread = Thread {
      let found = body()
      result.withLock { $0 = found }
      done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    return result.withLock { $0 }
  }

  /// What is said of a predicate that is too deep; "" when nothing is.
  private static func refusals(_ predicate: Predicate<Subject>) -> [String] {
    let subject = Subject()
    let uses: [() throws -> Void] = [{ try translate(predicate) }, { _ = try predicate.evaluate(subject) }]
    return uses.map { body in
      do { try body() } catch { return error is SwiftDataError ? "too deep" : "\(error)" }
      return ""
    }
  }

  private static func translate(_ predicate: Predicate<Subject>) throws {
    let schema = try SchemaInfo([Subject.self])
    var query = QueryBuilder(root: schema.entity(for: Subject.self)!) { schema.entity(for: $0) }
    try query.filter(predicate)
    _ = SQLitePrinter.print(query.select([primaryKeyColumn]))
  }

  @Test func `a captured dictionary of 200 entries is looked into by what each model has`() throws {
    let codes = Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, $0 % 10) })
    let found = try context.fetchCount(FetchDescriptor<Subject>(predicate: #Predicate { codes[$0.number] == 3 }))
    #expect(found == 20)
    let others = try context.fetchCount(
      FetchDescriptor<Subject>(predicate: #Predicate { codes[$0.number, default: 3] > 7 }))
    #expect(others == 40)
  }

  @Test(arguments: Kind.allCases) func `a predicate that is too deep is an error before any SQL`(kind: Kind) throws {
    let deep = Self.nested(5_000, kind)
    let statements = recorder.statements {
      #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(FetchDescriptor(predicate: deep)) }
    }
    #expect(statements.isEmpty)
    #expect(throws: SwiftDataError.unsupportedPredicate) { try deep.evaluate(Subject()) }
    var configuration = PredicateCodableConfiguration.standardConfiguration
    configuration.allowKeyPathsForProperties(of: Subject.self)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(deep, configuration: configuration) }
    #expect(FetchDescriptor(predicate: deep) != FetchDescriptor(predicate: Self.nested(5_001, .negated)))
  }

  @Test(arguments: [10, 20, 1_000, 5_000]) func `depth is no matter of the stack`(depth: Int) {
    let refusals = onSmallStack {
      Kind.allCases.filter { $0 != .alternating }.flatMap { Self.refusals(Self.nested(depth, $0)) }
        + Self.refusals(Self.negations(depth)).prefix(1)
    }
    #expect(refusals == Array(repeating: depth <= 20 ? "" : "too deep", count: 7))
  }

  /// What a loop makes that adds conditions with one operator and the other.
  private func alternation(_ count: Int, _ isAll: (Int) -> Bool) -> Predicate<Subject> {
    var predicate = #Predicate<Subject> { $0.number < 0 }
    for number in 0..<count {
      let next = #Predicate<Subject> { $0.number == number || $0.small > number % 7 }
      predicate = isAll(number) ? predicate && next : predicate || next
    }
    return predicate
  }

  private func check(_ predicate: Predicate<Subject>) throws {
    let all = try context.fetch(FetchDescriptor<Subject>())
    let expected = Set(try all.filter { try predicate.evaluate($0) }.map(\.number))
    #expect(Set(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.number)) == expected)
    #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count)
  }

  @Test func `ANDs and ORs by turns are no matter of SQLite's parser`() throws {
    for count in [10, 33, 90, 200] { try check(alternation(count) { $0.isMultiple(of: 2) }) }
    // Behind the last operator, which is where a macro's right side nests.
    var predicate = #Predicate<Subject> { $0.small == 3 }
    for number in 0..<100 {
      let (inner, first) = (predicate, #Predicate<Subject> { $0.number > number })
      predicate = number.isMultiple(of: 2) ? first && inner : (!first) || inner
    }
    try check(predicate)
    try check(!predicate)
  }

  @Test func `thousands of conditions with the same operator are one level`() throws {
    try check(alternation(3_000) { _ in true })
    try check(alternation(3_000) { _ in false })
    try check(alternation(3_000) { $0 > 1_500 })
    let list = (0..<1_000).map { number in #Predicate<Subject> { $0.number != number * 3 } }
    try check(list.reduce(#Predicate { _ in true }) { $0 && $1 })
  }

  @Test func `deep conditions inside a closure are read, too`() throws {
    let container = try ModelContainer(for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let author = Author(name: "A")
    context.insert(author)
    author.books = (0..<20).map { number in
      let book = Book(title: "\(number)")
      book.pages = number
      return book
    }
    try context.save()
    var inner = #Predicate<Book> { $0.pages == 7 }
    for number in 0..<60 {
      let last = inner
      inner =
        number.isMultiple(of: 2)
        ? last && #Predicate { $0.pages != number + 30 } : last || #Predicate { $0.pages == 99 }
    }
    let deep = inner
    let some = #Predicate<Author> { $0.books.contains { deep.evaluate($0) } }
    #expect(try context.fetch(FetchDescriptor(predicate: some)) == [author])
    let all = #Predicate<Author> { $0.books.allSatisfy { deep.evaluate($0) } }
    #expect(try context.fetch(FetchDescriptor(predicate: all)) == [])
  }

  @Test func `more sort descriptors than a query can have are an error before any SQL`() throws {
    let many = Array(repeating: [SortDescriptor(\Subject.number), SortDescriptor(\Subject.uint64)], count: 1_500)
      .joined()
    let statements = recorder.statements {
      #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
        try context.fetch(FetchDescriptor(sortBy: Array(many)))
      }
    }
    #expect(statements.isEmpty)
    var descriptor = FetchDescriptor(sortBy: Array(many.prefix(250)))
    #expect(try context.fetch(descriptor).count == 200)
    descriptor.sortBy = (0..<200).map {
      SortDescriptor(\Subject.number, order: $0.isMultiple(of: 2) ? .forward : .reverse)
    }
    descriptor.fetchAfter = try context.fetch(descriptor)[9].persistentModelID
    #expect(try context.fetch(descriptor).first?.number == 10)
  }

  @Test func `what is nested without an end can be freed`() {
    for kind in Kind.allCases {
      _ = onSmallStack {
        _ = Self.nested(20_000, kind); return []
      }
    }
  }

  @Test func `what an archive has too deep is refused as it is read`() throws {
    let text = String(repeating: #"{"kind":"Negation","parts":{"wrapped":"#, count: 5_000)
    var configuration = PredicateCodableConfiguration.standardConfiguration
    configuration.allowKeyPathsForProperties(of: Subject.self)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        Predicate<Subject>.self, from: Data((#"{"variables":[0],"expression":"# + text).utf8),
        configuration: configuration)
    }
    let archive = try PropertyListSerialization.data(fromPropertyList: Self.archive(2_000), format: .binary, options: 0)
    #expect(throws: DecodingError.self) {
      try PropertyListDecoder().decode(Predicate<Subject>.self, from: archive, configuration: configuration)
    }
  }

  private static func archive(_ depth: Int) -> [String: Any] {
    var node: [String: Any] = ["kind": "Value", "type": ["name": "Bool"], "text": "[true]"]
    for _ in 0..<depth { node = ["kind": "Negation", "parts": ["wrapped": node]] }
    return ["variables": [0], "expression": node]
  }
}
