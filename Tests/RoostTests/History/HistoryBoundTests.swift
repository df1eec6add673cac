import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// Where the reading of history begins for a condition.
@Suite struct HistoryBoundTests {
  private typealias Condition = Predicate<DefaultHistoryTransaction>

  private let fixture: HistoryFixture
  private let one: Int64 = 1
  private let three: Int64 = 3
  private let four: Int64 = 4

  /// Five transactions, each a hundred seconds after the one before, by authors named after their numbers.
  init() throws {
    fixture = try HistoryFixture()
    for number in 1...5 {
      fixture.context.author = "\(number)"
      fixture.context.insert(Fan(name: "\(number)"))
      try fixture.context.save()
    }
    try change("time = id * 100")
  }

  private func change(_ assignment: String) throws {
    let other = try Connection(ConnectionOptions(location: .file(path: fixture.folder.store.path)))
    defer { other.close() }
    try other.execute("UPDATE _roost_transaction SET \(assignment)")
  }

  private func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  private func numbers(_ condition: Condition) throws -> [Int64] {
    try fixture.context.fetchHistory(HistoryDescriptor(predicate: condition)).map(\.transactionIdentifier)
  }

  @Test func `what is before a number or a time is not read`() throws {
    // Whoever reads them finds that out.
    try change("changes = x'ff' WHERE id < 3")
    let (three, time) = (three, date(300))
    let from: [Condition] = [
      #Predicate { $0.transactionIdentifier >= three && $0.changes.count == 1 },
      #Predicate { $0.changes.count == 1 && three <= $0.id },
      #Predicate { $0.timestamp >= time && $0.changes.count == 1 },
      #Predicate { $0.changes.count == 1 && time <= $0.timestamp },
    ]
    for condition in from { #expect(try numbers(condition) == [3, 4, 5]) }
    let behind: [Condition] = [
      #Predicate { $0.transactionIdentifier > three && $0.changes.count == 1 },
      #Predicate { three < $0.id && $0.changes.count == 1 },
      #Predicate { $0.timestamp > time && $0.changes.count == 1 },
      #Predicate { $0.changes.count == 1 && time < $0.timestamp },
    ]
    for condition in behind { #expect(try numbers(condition) == [4, 5]) }
    let all: Condition = #Predicate { $0.changes.count == 1 }
    #expect(throws: SwiftDataError.corruptValue) { try numbers(all) }
  }

  @Test func `a condition that need not hold for all leaves none out`() throws {
    let (one, four, first, early, late) = (one, four, "1", date(100), date(400))
    let some: [Condition] = [
      #Predicate { $0.transactionIdentifier > four || $0.author == first },
      #Predicate { $0.timestamp > late || $0.author == first },
    ]
    for condition in some { #expect(try numbers(condition) == [1, 5]) }
    let others: [Condition] = [
      #Predicate { !($0.id > one) }, #Predicate { !($0.timestamp > early) }, #Predicate { $0.id <= one },
      #Predicate { one >= $0.transactionIdentifier }, #Predicate { $0.timestamp <= early },
    ]
    for condition in others { #expect(try numbers(condition) == [1]) }
  }

  @Test func `of several bounds each holds, and that of a token too`() throws {
    let (one, three, four, time) = (one, three, four, date(300))
    let token = try #require(try fixture.transactions.first { $0.id == three }?.token)
    let conditions: [(Condition, [Int64])] = [
      (#Predicate { $0.id > one && $0.id >= four }, [4, 5]),
      (#Predicate { $0.id >= four && $0.timestamp > time && $0.id > one }, [4, 5]),
      (#Predicate { $0.token > token && $0.id > one }, [4, 5]),
      (#Predicate { $0.token > token && $0.id > four }, [5]),
    ]
    for (condition, expected) in conditions { #expect(try numbers(condition) == expected) }
  }

  @Test func `the times of transactions need not be in their order`() throws {
    try change("time = 900 WHERE id = 2")
    let (time, least, past, future) = (date(300), -three, Date.distantPast, Date.distantFuture)
    let behind: Condition = #Predicate { $0.timestamp > time }
    #expect(try numbers(behind) == [2, 4, 5])
    let all: Condition = #Predicate { $0.timestamp > past && $0.id > least }
    #expect(try numbers(all) == [1, 2, 3, 4, 5])
    let none: Condition = #Predicate { $0.timestamp > future }
    #expect(try numbers(none).isEmpty)
  }

  @Test func `the changes are there for each path that is made of them`() throws {
    let conditions: [Condition] = [
      .comparing(\.changes.count, .equal, 1), .comparing(\.size, .equal, 1), #Predicate { $0.size == 1 },
    ]
    for condition in conditions { #expect(try numbers(condition) == [1, 2, 3, 4, 5]) }
  }

  @Test func `an order by the changes says which transactions are deleted`() throws {
    for name in ["a", "b"] { fixture.context.insert(Fan(name: name)) }
    try fixture.context.save()
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.changes.count, order: .reverse)])
    descriptor.fetchLimit = 1
    #expect(try fixture.context.fetchHistory(descriptor).map(\.id) == [6])
    try fixture.context.deleteHistory(descriptor)
    #expect(try fixture.transactions.map(\.id) == [1, 2, 3, 4, 5])
  }

  @Test func `a number or a time does not expire, as a token does`() throws {
    let (one, three, time) = (one, three, date(100))
    let early: Condition = #Predicate { $0.id <= three }
    try fixture.context.deleteHistory(HistoryDescriptor(predicate: early))
    let behind: [Condition] = [#Predicate { $0.transactionIdentifier > one }, #Predicate { $0.timestamp > time }]
    for condition in behind { #expect(try numbers(condition) == [4, 5]) }
  }
}

extension DefaultHistoryTransaction {
  fileprivate var size: Int { changes.count }
}
