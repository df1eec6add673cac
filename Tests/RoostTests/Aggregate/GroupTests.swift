import Foundation
import Roost
import RoostTesting
import Testing

/// Groups of rows, and values of rows without models.
@Suite struct GroupTests {
  private let context: ModelContext

  init() throws {
    context = try makeSales()
    let (oslo, rome) = (Shop(name: "north", city: "Oslo"), Shop(name: "south", city: "Rome"))
    for (product, quantity, shop) in [
      ("tea", 1, oslo), ("tea", 2, rome), ("nut", 3, oslo), ("tea", 4, nil), ("egg", 5, rome), ("nut", 6, rome),
    ] as [(String, Int, Shop?)] {
      context.insert(Sale(product, price: Decimal(quantity) / 10, quantity: quantity, shop: shop))
    }
    try context.save()
  }

  @Test func `groups come in the order of their keys, nil first`() throws {
    let products = try context.aggregate(FetchDescriptor<Sale>(), groupBy: \.product, select: .count, .sum(\.quantity))
    #expect(products.map { "\($0)" } == [#"("egg", 1, 5)"#, #"("nut", 2, 9)"#, #"("tea", 3, 7)"#])
    let shops = try context.aggregate(
      FetchDescriptor<Sale>(), groupBy: \.shop?.name, \.product, select: .max(\.quantity))
    #expect(
      shops.map { "\($0.0 ?? "-") \($0.1) \($0.2 ?? 0)" } == [
        "- tea 4", "north nut 3", "north tea 1", "south egg 5", "south nut 6", "south tea 2",
      ])
  }

  @Test func `groups can be chosen, sorted and limited by their values`() throws {
    let rows = try context.aggregate(
      FetchDescriptor<Sale>(), groupBy: .value(\.product), select: .sum(\.quantity), having: .count > 1,
      orderBy: [.descending(.sum(\.quantity))])
    #expect(rows.map(\.0) == ["nut", "tea"])
    let none = FetchDescriptor<Sale>()
    func products(_ condition: AggregateCondition<Sale>) throws -> [String] {
      let rows = try context.aggregate(none, groupBy: .value(\.product), select: .count, having: condition)
      return rows.map(\.0)
    }
    #expect(try products(.count == 2) == ["nut"])
    #expect(try products(!(.count == 2)) == ["egg", "tea"])
    #expect(try products(.sum(\.price) >= Decimal(0.7) && .min(\.quantity) < 3) == ["tea"])
    #expect(try products(.average(\.weight) > 1 || .max(\.product) <= "f") == ["egg"])
    #expect(try products(!(.average(\.weight) > 1)) == ["egg", "nut", "tea"])
    let second = try context.aggregate(
      none, groupBy: .value(\.product), select: .count, orderBy: [.descending(.value(\.product))], limit: 1, offset: 1)
    #expect(second.map(\.0) == ["nut"])
  }

  @Test func `strings that Swift calls equal are one group`() throws {
    context.insert(Sale("caf\u{e9}"))
    context.insert(Sale("cafe\u{301}"))
    let rows = try context.aggregate(
      FetchDescriptor<Sale>(predicate: #Predicate { $0.product.starts(with: "caf") }), groupBy: \.product,
      select: .count, .countDistinct(\.product))
    #expect(rows.count == 1 && rows[0] == ("caf\u{e9}", 2, 1))
  }

  @Test func `groups by parts of dates are those of the calendar`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed) groups by parts of dates")
    var random = SeededRandom(seed: seed)
    let context = try makeSales()
    // Three centuries, then a few days of which many share a part.
    let spans = Array(repeating: 1e10, count: 200) + Array(repeating: 1e6, count: 100)
    let edges = [0, 5_097_600, 5_184_000, -31_622_400, 31_536_000, 7_689_600, 94_608_000, 94_694_400].map(Double.init)
    let times = spans.map { Double.random(in: (-$0)...$0, using: &random) } + edges + edges.map { $0 - 0.001 }
    for time in times { context.insert(Sale("a", date: Date(timeIntervalSinceReferenceDate: time))) }
    try context.save()
    var utc = Calendar(identifier: .iso8601)
    utc.timeZone = .gmt
    var local = Calendar(identifier: .gregorian)
    local.timeZone = try #require(TimeZone(identifier: "Europe/Oslo"))
    let all = FetchDescriptor<Sale>()
    for calendar in [nil, local] {
      func expect(_ component: Calendar.Component, _ column: Column<Sale, Date>) throws {
        let groups = try context.aggregate(all, groupBy: column, select: .count)
        let expected = times.reduce(into: [Date: Int]()) { counts, time in
          let date = Date(timeIntervalSinceReferenceDate: time)
          counts[(calendar ?? utc).dateInterval(of: component, for: date)?.start ?? date, default: 0] += 1
        }
        #expect(groups.map(\.0) == expected.keys.sorted(), "\(component)")
        #expect(groups.map(\.1) == expected.sorted { $0.key < $1.key }.map(\.value), "\(component)")
      }
      try expect(.hour, .hour(\.date, in: calendar))
      try expect(.day, .day(\.date, in: calendar))
      try expect(.weekOfYear, .week(\.date, in: calendar))
      try expect(.month, .month(\.date, in: calendar))
      try expect(.year, .year(\.date, in: calendar))
    }
  }

  @Test func `parts of dates and other keys make groups together`() throws {
    let rows = try context.aggregate(
      FetchDescriptor<Sale>(), groupBy: .month(\.date), .value(\Sale.shop?.name), select: .sum(\.quantity),
      having: .count > 1, orderBy: [.descending(.sum(\.quantity))], limit: 2)
    #expect(rows.map { "\($0.1 ?? "-") \($0.2)" } == ["south 13", "north 4"])
    #expect(Set(rows.map(\.0)) == [Date(timeIntervalSinceReferenceDate: 0)])
  }

  @Test func `groups by a relationship are known by identifiers`() throws {
    let rows = try context.aggregate(FetchDescriptor<Sale>(), groupBy: .identifier(\.shop), select: .count)
    let names = rows.map { key, count in
      "\(key.flatMap { context.model(for: $0) as? Shop }?.name ?? "-") \(count)"
    }
    #expect(Set(names) == ["- 1", "north 2", "south 3"])
  }

  @Test func `values of rows come without models, in order, also from related ones`() throws {
    let other = ModelContext(context.container)
    var descriptor = FetchDescriptor<Sale>(sortBy: [SortDescriptor(\.quantity, order: .reverse)])
    descriptor.fetchLimit = 3
    let rows = try other.fetch(descriptor, select: \.product, \.price, \.shop?.city)
    #expect(rows.map(\.0) == ["nut", "egg", "tea"])
    #expect(rows.map(\.1) == [Decimal(string: "0.6"), Decimal(string: "0.5"), Decimal(string: "0.4")])
    #expect(rows.map(\.2) == ["Rome", "Rome", nil])
    let names: [String] = try other.fetch(FetchDescriptor<Shop>(sortBy: [SortDescriptor(\.name)]), select: \.name)
    #expect(names == ["north", "south"])
    let identifiers = try other.fetch(descriptor, select: .persistentModelID, .value(\.quantity))
    #expect(other.liveModelCount == 0)
    #expect(identifiers.map { (other.model(for: $0.0) as? Sale)?.quantity } == identifiers.map(\.1))
  }

  @Test func `related models are counted and summed without being loaded`() throws {
    context.insert(Shop(name: "empty"))
    let rows = try ModelContext(draftOf: context).fetch(
      FetchDescriptor<Shop>(sortBy: [SortDescriptor(\.name)]), select: .value(\.name), .count(\.sales),
      .sum(\.sales, \.price), .average(\.sales, \.quantity), .max(\.sales, \.product))
    #expect(
      rows.map { "\($0.0) \($0.1) \($0.2) \($0.3 ?? -1) \($0.4 ?? "-")" } == [
        "empty 0 0 -1.0 -", "north 2 0.4 2.0 tea", "south 3 1.3 4.333333333333333 tea",
      ])
    let busy = try context.aggregate(
      FetchDescriptor<Shop>(), groupBy: .count(\.sales), select: .count, orderBy: [.descending(.count(\.sales))])
    #expect(busy.map { "\($0.0) \($0.1)" } == ["3 1", "2 1", "0 1"])
  }

  @Test func `asking whether a row exists reads one, and the first is one`() throws {
    let recorder = StatementRecorder()
    let other = try makeSales(recorder)
    for number in 0..<10 { other.insert(Sale("p", quantity: number)) }
    try other.save()
    #expect(try other.exists(FetchDescriptor<Sale>(predicate: #Predicate { $0.quantity > 8 })))
    #expect(try !other.exists(FetchDescriptor<Sale>(predicate: #Predicate { $0.quantity > 9 })))
    var beyond = FetchDescriptor<Sale>()
    beyond.fetchOffset = 10
    #expect(try !other.exists(beyond) && other.first(beyond) == nil)
    let last = FetchDescriptor<Sale>(sortBy: [SortDescriptor(\.quantity, order: .reverse)])
    let statements = try recorder.statements {
      let first = try other.first(last)
      #expect(first?.quantity == 9)
    }
    #expect(statements.count == 1 && statements[0].contains("LIMIT"))
  }
}
