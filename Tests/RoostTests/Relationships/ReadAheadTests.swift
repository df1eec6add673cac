import Foundation
import Roost
import RoostCore
import RoostTesting
import Testing

/// How much is read for the sake of the next models, where each has others of its own.
@Suite struct ReadAheadTests {
  private let recorder = StatementRecorder()
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Purchase.self, Author.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder))
    context = ModelContext(container)
  }

  private func fill(_ count: Int) throws {
    let writer = ModelContext(container)
    for number in 0..<count { writer.insert(Purchase(number)) }
    try writer.save()
    // A bulk load's indexes are made by the first query.
    _ = try context.fetchCount(FetchDescriptor<Purchase>())
  }

  private func walk(_ purchases: some Sequence<Purchase>) {
    for purchase in purchases {
      let name = "\(purchase.number)"
      if purchase.buyer?.name != name || purchase.invoice?.name != name || purchase.parcel?.name != name {
        Issue.record("\(purchase.number) has another's buyer, invoice or parcel.")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a walk along three relationships reads each target once, a thousand at a time`(_ isBackwards: Bool) throws {
    try fill(9_000)
    let purchases = try context.fetch(FetchDescriptor<Purchase>())
    #expect(purchases.count == 9_000)
    let walked = isBackwards ? Array(purchases.suffix(2_100).reversed()) : Array(purchases.prefix(2_100))
    let statements = recorder.statements { walk(walked) }
    // Three for each relationship.
    #expect((9...12).contains(statements.count), "\(statements.count)")
  }

  @Test(arguments: [false, true])
  func `rows far from each other are walked like those side by side`(_ isBackwards: Bool) throws {
    // One row of every second page of the identity map, or third.
    let gap = 80
    try fill(gap * 100)
    var purchases = try context.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number % gap == 7 }))
    #expect(purchases.count == 100)
    if isBackwards { purchases.reverse() }
    #expect(recorder.statements { walk(purchases) }.count == 3)
  }

  @Test func `saved rows and new ones find their targets in one walk`() throws {
    try fill(100)
    for number in 100..<200 { context.insert(Purchase(number)) }
    let purchases = try context.fetch(FetchDescriptor<Purchase>())
    #expect(Set(purchases.map(\.number)) == Set(0..<200))
    // The connection that shows what is pending is another one, so that one may be opened for the walk.
    let statements = recorder.statements { walk(purchases) }.filter { $0.contains("json_each") }
    #expect(statements.count == 3, "\(statements)")
  }

  private func makeAuthors(_ count: Int) throws -> [Author] {
    let writer = ModelContext(container)
    for number in 0..<count {
      let author = Author(name: "\(number)")
      author.books = [Book(title: "\(number)")]
      writer.insert(author)
    }
    try writer.save()
    _ = try context.fetchCount(FetchDescriptor<Book>())
    return try context.fetch(FetchDescriptor<Author>())
  }

  @Test func `a look at one list reads few others`() throws {
    let authors = try makeAuthors(2_000)
    let seen = context._siblingsSeen
    let statements = recorder.statements { #expect(authors[1_000].books.count == 1) }
    #expect(statements.count == 1)
    #expect(context._siblingsSeen - seen <= 100)
  }

  @Test(arguments: [false, true])
  func `a walk through lists reads twice as many each time`(_ isBackwards: Bool) throws {
    var authors = try makeAuthors(2_000)
    if isBackwards { authors.reverse() }
    var count = 0
    let statements = recorder.statements { for author in authors { count += author.books.count } }
    #expect(count == 2_000)
    // 64, 128, 256, 512, 1,024 and the rest.
    #expect((4...7).contains(statements.count), "\(statements.count)")
  }
}

@Model private final class Buyer {
  var name: String

  init(_ number: Int) { name = "\(number)" }
}

@Model private final class Invoice {
  var name: String

  init(_ number: Int) { name = "\(number)" }
}

@Model private final class Parcel {
  var name: String

  init(_ number: Int) { name = "\(number)" }
}

@Model private final class Purchase {
  var number: Int
  var buyer: Buyer?
  var invoice: Invoice?
  var parcel: Parcel?

  init(_ number: Int) {
    self.number = number
    buyer = Buyer(number)
    invoice = Invoice(number)
    parcel = Parcel(number)
  }
}
