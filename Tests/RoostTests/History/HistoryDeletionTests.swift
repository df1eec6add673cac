import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// Transactions that are deleted, some of many.
@Suite struct HistoryDeletionTests {
  private let fixture: HistoryFixture
  private var context: ModelContext { fixture.context }

  init() throws { fixture = try HistoryFixture() }

  private var numbers: [Int64] { get throws { try fixture.transactions.map(\.transactionIdentifier) } }

  private func count(_ sql: SQL) throws -> Int { try context.rows(sql: sql, as: Int.self).first ?? 0 }

  private func isExpired(_ token: DefaultHistoryToken) throws -> Bool {
    do {
      _ = try context.fetchHistory(
        HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
      return false
    } catch SwiftDataError.historyTokenExpired {
      return true
    }
  }

  /// Six transactions of this program's, each with another program's behind it.
  private func fill() throws {
    let other = try Connection(ConnectionOptions(location: .file(path: fixture.folder.store.path)))
    defer { other.close() }
    context.author = "app"
    for number in 0..<6 {
      context.insert(Fan(name: "\(number)"))
      try context.save()
      try other.execute("INSERT INTO Band (name, size) VALUES ('a', 1), ('b', 1)")
    }
    #expect(try numbers == Array(1...12))
  }

  @Test func `transactions between others take their changes along, and no others'`() throws {
    try fill()
    let tokens = try fixture.transactions.map(\.token)
    let changes = try count("SELECT count(*) FROM _roost_change")
    try context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(
        predicate: #Predicate { $0.author == nil && $0.transactionIdentifier > 4 }))
    #expect(try numbers == [1, 2, 3, 4, 5, 7, 9, 11])
    let (own, theirs) = (["insert Fan"], ["insert Band", "insert Band"])
    #expect(try fixture.words == [own, theirs, own, theirs, own, own, own, own])
    // The newest change stays for its number, as the newest transaction does.
    #expect(try count("SELECT count(*) FROM _roost_change") == changes - 7)
    #expect(try count("SELECT count(*) FROM _roost_transaction") == 9)
    #expect(try isExpired(tokens[10]) && !isExpired(tokens[11]))
    context.insert(Fan(name: "new"))
    try context.save()
    #expect(try numbers.last == 13)
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(try numbers.isEmpty)
  }

  @Test func `the last ones in an order of their own are deleted up to the newest`() throws {
    try fill()
    let tokens = try fixture.transactions.map(\.token)
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    descriptor.fetchLimit = 3
    try context.deleteHistory(descriptor)
    #expect(try numbers == Array(1...9))
    #expect(try isExpired(tokens[10]) && !isExpired(tokens[11]))
  }

  @Test func `what matches nothing deletes nothing, and no place expires`() throws {
    try fill()
    let token = try #require(try fixture.transactions.first?.token)
    let nobody = "nobody"
    try context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == nobody }))
    #expect(try numbers == Array(1...12))
    #expect(try !isExpired(token))
  }

  @Test func `many transactions are deleted by as many statements as one`() throws {
    let recorder = StatementRecorder()
    let configuration = ModelConfiguration(url: fixture.folder.url.appending(path: "counted.store"))
    let container = try ModelContainer(
      for: Band.self, Record.self, Fan.self, configurations: configuration.recording(to: recorder))
    let context = ModelContext(container)
    func statements(deleting count: Int) throws -> Int {
      for number in 0..<count {
        context.insert(Fan(name: "\(number)"))
        try context.save()
      }
      let before = recorder.statements.count
      try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
      return recorder.statements.count - before
    }
    // The first time has to look at the tables.
    _ = try statements(deleting: 1)
    #expect(try statements(deleting: 1) == statements(deleting: 20))
  }
}
