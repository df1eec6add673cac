import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// Those for whom history is kept until they have read it.
@Suite struct HistoryConsumerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// All that may be pruned is: each transaction is too old.
  private func open(
    maximumAge: Duration? = .seconds(-3_600), maximumCount: Int? = nil, maximumUnreadAge: Duration? = nil
  ) throws -> ModelContext {
    var configuration = ModelConfiguration(url: folder.store)
    configuration.storeOptions.history = .init(
      maximumAge: maximumAge, maximumCount: maximumCount, maximumUnreadAge: maximumUnreadAge)
    return ModelContext(try ModelContainer(for: SongsV1.Song.self, configurations: configuration))
  }

  private func add(_ count: Int, to context: ModelContext) throws {
    for number in 0..<count {
      context.insert(SongsV1.Song(title: "\(number)"))
      try context.save()
    }
  }

  @Test func `what a consumer has yet to read stays, and goes on where it was`() throws {
    var context = try open()
    try add(2, to: context)
    _ = try context.historyConsumer("sync")
    try add(3, to: context)
    try context.container.close()
    context = try open()
    let sync = try context.historyConsumer("sync")
    #expect(try sync.unreadTransactions().map(\.transactionIdentifier) == [3, 4, 5])
    let first = try sync.unreadTransactions(limit: 2)
    #expect(first.map(\.transactionIdentifier) == [3, 4])
    #expect(try sync.unreadTransactions(limit: 0).isEmpty)
    try sync.advance(past: first[1])
    // Not back.
    try sync.advance(past: first[0])
    #expect(try sync.token == first[1].token)
    try context.container.close()
    context = try open()
    #expect(try context.historyConsumer("sync").unreadTransactions().map(\.transactionIdentifier) == [5])
    #expect(
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.transactionIdentifier) == [5])
  }

  @Test func `history is kept for the slowest, by count too, and for nobody once all are gone`() throws {
    var context = try open(maximumAge: nil, maximumCount: 1)
    _ = try context.historyConsumer("slow")
    let fast = try context.historyConsumer("fast")
    try add(4, to: context)
    try fast.advanceToEnd()
    #expect(try context.historyConsumerNames == ["fast", "slow"])
    try context.container.close()
    context = try open(maximumAge: nil, maximumCount: 1)
    #expect(try context.historyConsumer("slow").unreadTransactions().count == 4)
    try context.historyConsumer("slow").unregister()
    try context.container.close()
    context = try open(maximumAge: nil, maximumCount: 1)
    #expect(
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.transactionIdentifier) == [4])
    #expect(try context.historyConsumer("fast").unreadTransactions().isEmpty)
  }

  @Test func `a consumer that does not come back has nothing kept for longer than the limit`() throws {
    var context = try open(maximumUnreadAge: .seconds(-3_600))
    let sync = try context.historyConsumer("sync")
    try add(2, to: context)
    #expect(try sync.unreadTransactions().count == 2)
    try context.container.close()
    context = try open()
    let late = try context.historyConsumer("sync")
    #expect(throws: SwiftDataError.historyTokenExpired) { try late.unreadTransactions() }
    // It waits for nothing any more.
    try add(2, to: context)
    try context.container.close()
    context = try open()
    #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).isEmpty)
    try context.historyConsumer("sync").advanceToEnd()
    try add(1, to: context)
    #expect(try context.historyConsumer("sync").unreadTransactions().count == 1)
  }

  @Test(arguments: ["save", "SQL", "update in bulk"])
  func `a store that stays open prunes its history every 4,096 transactions`(writer: String) throws {
    let context = try open(maximumAge: nil, maximumCount: 2)
    func write() throws {
      switch writer {
      case "save": try add(1, to: context)
      case "SQL": try context.execute(sql: "UPDATE Song SET title = title || '.'")
      default:
        let title = UUID().uuidString
        try context.update(model: SongsV1.Song.self, set: .set(\.title, to: title))
      }
    }
    func numbers() throws -> [Int64] {
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.transactionIdentifier)
    }
    /// As if there had been so many more.
    func renumberLast(_ number: Int64) throws {
      let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
      defer { connection.close() }
      try connection.execute(
        "UPDATE _roost_transaction SET id = \(number) WHERE id = (SELECT max(id) FROM _roost_transaction)")
    }
    try add(3, to: context)
    try renumberLast(4_094)
    try write()
    #expect(try numbers() == [1, 2, 4_094, 4_095])
    try write()
    #expect(try numbers() == [4_095, 4_096])
    try write()
    #expect(try numbers() == [4_095, 4_096, 4_097])
    // Another program made the one that would have been it.
    try renumberLast(8_300)
    try write()
    #expect(try numbers() == [8_300, 8_301])
    try write()
    #expect(try numbers() == [8_300, 8_301, 8_302])
  }

  @Test func `an open store keeps what a consumer has yet to read`() throws {
    let context = try open()
    _ = try context.historyConsumer("sync")
    try add(2, to: context)
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    defer { connection.close() }
    try connection.execute("UPDATE _roost_transaction SET id = 4095 WHERE id = 2")
    try add(1, to: context)
    #expect(
      try context.historyConsumer("sync").unreadTransactions().map(\.transactionIdentifier) == [1, 4_095, 4_096])
    try context.historyConsumer("sync").advanceToEnd()
    try connection.execute("UPDATE _roost_transaction SET id = 8191 WHERE id = 4096")
    try add(1, to: context)
    #expect(
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.transactionIdentifier)
        == [8_191, 8_192])
  }

  @Test func `a consumer that nobody has registered any more says so`() throws {
    let context = try open()
    let sync = try context.historyConsumer("sync")
    try add(1, to: context)
    let token = try #require(try sync.unreadTransactions().last?.token)
    try sync.unregister()
    try sync.unregister()
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try sync.token }
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try sync.unreadTransactions() }
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try sync.advance(to: token) }
    #expect(try context.historyConsumerNames == [])
  }

  @Test func `a reader of a store that cannot be written registers nobody`() throws {
    let context = try open()
    _ = try context.historyConsumer("sync")
    try add(1, to: context)
    try context.container.close()
    let configuration = ModelConfiguration(url: folder.store, allowsSave: false)
    let reader = ModelContext(try ModelContainer(for: SongsV1.Song.self, configurations: configuration))
    let sync = try reader.historyConsumer("sync")
    #expect(try sync.unreadTransactions().count == 1)
    #expect(throws: SwiftDataError.readOnlyStore) { try sync.advanceToEnd() }
    #expect(throws: SwiftDataError.readOnlyStore) { try reader.historyConsumer("other") }
  }

  /// What a consumer knows of the rows.
  private struct Copy {
    var rows: Set<Int64>
  }

  @Test func `whatever is pruned, each consumer can follow the rows from its place`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    func options() -> (age: Duration?, count: Int?) {
      (
        Bool.random(using: &random) ? .seconds(-3_600) : nil,
        Bool.random(using: &random) ? Int.random(in: 0..<5, using: &random) : nil
      )
    }
    var context = try open()
    var copies: [String: Copy] = [:]
    let other = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    defer { other.close() }
    var read = 0
    func keys() throws -> Set<Int64> { Set(try context.rows(sql: "SELECT _pk FROM Song", as: Int64.self)) }
    func follow(_ name: String, limit: Int?) throws {
      let consumer = try context.historyConsumer(name)
      for transaction in try consumer.unreadTransactions(limit: limit) {
        for change in transaction.changes {
          let key = change.changedPersistentIdentifier.key
          let isAsExpected =
            switch change {
            case .insert: copies[name]?.rows.insert(key).inserted ?? false
            case .update: copies[name]?.rows.contains(key) ?? false
            case .delete: copies[name]?.rows.remove(key) != nil
            }
          #expect(isAsExpected, "seed \(seed)")
        }
        try consumer.advance(past: transaction)
        read += 1
      }
    }
    for _ in 0..<400 {
      let number = Int.random(in: 1..<4, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1, 2: try add(number, to: context)
      case 3: try other.execute("INSERT INTO Song (title, length) VALUES ('o', 1); UPDATE Song SET length = \(number)")
      case 4:
        try context.delete(model: SongsV1.Song.self, where: #Predicate { $0.length == number })
        try context.save()
      case 5:
        // Its place first, then the rows: what comes between would be told once more.
        let name = "\(number)"
        if copies[name] == nil {
          _ = try context.historyConsumer(name)
          copies[name] = Copy(rows: try keys())
        }
      case 6: if let name = copies.keys.sorted().randomElement(using: &random) { try follow(name, limit: number) }
      case 7:
        if let name = copies.keys.sorted().randomElement(using: &random), number == 1 {
          try context.historyConsumer(name).unregister()
          copies[name] = nil
        }
      default:
        try context.container.close()
        let (age, count) = options()
        context = try open(maximumAge: age, maximumCount: count)
      }
      for name in copies.keys.sorted() where Int.random(in: 0..<10, using: &random) == 0 {
        try follow(name, limit: nil)
        #expect(try copies[name]?.rows == keys(), "seed \(seed)")
      }
    }
    #expect(read > 100)
  }
}
