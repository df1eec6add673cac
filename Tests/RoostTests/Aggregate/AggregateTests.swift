import Foundation
import Roost
import RoostTesting
import Testing

/// Values that the database makes of many rows.
@Suite struct AggregateTests {
  @Test func `no rows have a count and a sum of 0, and neither mean nor extremes`() throws {
    let context = try makeSales()
    let (count, sum, exact, mean, least, most, different) = try context.aggregate(
      FetchDescriptor<Sale>(), .count, .sum(\.quantity), .sum(\.price), .average(\.weight), .min(\.product),
      .max(\.date), .countDistinct(\.product))
    #expect(count == 0 && sum == 0 && exact == 0 && mean == nil && least == nil && most == nil && different == 0)
  }

  @Test func `aggregates are what Swift makes of the same rows`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed) aggregates")
    var random = SeededRandom(seed: seed)
    let context = try makeSales()
    let shops = (0..<5).map { Shop(name: "shop \($0)") }
    for _ in 0..<300 { context.insert(Sale.random(&random, shops: shops)) }
    try context.save()
    // Some pending changes as well.
    for sale in try context.fetch(FetchDescriptor<Sale>()).prefix(40) {
      if Bool.random(using: &random) { context.delete(sale) } else { sale.quantity += 7 }
    }
    for _ in 0..<40 { context.insert(Sale.random(&random, shops: shops)) }
    for isPaid in [true, false] {
      let descriptor = FetchDescriptor<Sale>(predicate: #Predicate { $0.isPaid == isPaid })
      let sales = try context.fetch(descriptor)
      let (count, quantity, small, price, weight, big) = try context.aggregate(
        descriptor, .count, .sum(\.quantity), .sum(\.small), .sum(\.price), .sum(\.weight), .sum(\.big))
      #expect(count == sales.count)
      #expect(quantity == sales.reduce(0) { $0 + $1.quantity })
      #expect(small == sales.reduce(0) { $0 + Int($1.small) })
      #expect(price == sales.reduce(0) { $0 + $1.price })
      #expect(weight == sales.reduce(0) { $0 + ($1.weight ?? 0) })
      #expect(big == sales.reduce(0) { $0 + $1.big })
      let (least, most, first, last, smallest, greatest) = try context.aggregate(
        descriptor, .min(\.price), .max(\.price), .min(\.date), .max(\.date), .min(\.big), .max(\.big))
      #expect(least == sales.map(\.price).min() && most == sales.map(\.price).max())
      #expect(first == sales.map(\.date).min() && last == sales.map(\.date).max())
      #expect(smallest == sales.map(\.big).min() && greatest == sales.map(\.big).max())
      let (lightest, product, different, mean) = try context.aggregate(
        descriptor, .min(\.weight), .max(\.product), .countDistinct(\.product), .average(\.weight))
      #expect(lightest == sales.compactMap(\.weight).min() && product == sales.map(\.product).max())
      #expect(different == Set(sales.map(\.product)).count)
      let weights = sales.compactMap(\.weight)
      #expect(mean == weights.reduce(0, +) / Double(weights.count))
      #expect(
        try context.aggregate(descriptor, .countDistinct(\.shop))
          == Set(sales.compactMap(\.shop?.persistentModelID)).count)
    }
  }

  @Test func `a sum that its type cannot hold says so`() throws {
    var random = SeededRandom(seed: 1)
    let context = try makeSales()
    for _ in 0..<2 {
      let sale = Sale.random(&random, shops: [Shop(name: "A")])
      (sale.quantity, sale.big) = (.max, .max)
      context.insert(sale)
    }
    try context.save()
    let signed = #expect(throws: SwiftDataError.self) {
      try context.aggregate(FetchDescriptor<Sale>(), .sum(\.quantity))
    }
    #expect(signed == .storeFailure && signed?.remedy?.contains("Double") ?? false)
    let unsigned = #expect(throws: SwiftDataError.self) {
      try context.aggregate(FetchDescriptor<Sale>(), .sum(\.big))
    }
    #expect(unsigned == .storeFailure && unsigned?.remedy?.contains("Double") ?? false)
  }

  @Test func `decimals are summed and averaged to the last digit`() throws {
    let context = try makeSales()
    let digits = try #require(Decimal(string: "1234567890123456789012345678901234567.1"))
    for price in Array(repeating: Decimal(string: "0.1") ?? 0, count: 10) + [digits] {
      context.insert(Sale("a", price: price))
    }
    let cheap = FetchDescriptor<Sale>(predicate: #Predicate { $0.price < 1 })
    #expect(try context.aggregate(cheap, .sum(\.price)) == 1)
    #expect(try context.aggregate(cheap, .average(\.price)) == Decimal(string: "0.1"))
    #expect(try context.aggregate(FetchDescriptor<Sale>(), .sum(\.price)) == digits + 1)
  }

  @Test func `one statement runs and no model is made`() throws {
    let recorder = StatementRecorder()
    let writer = try makeSales(recorder)
    let shop = Shop(name: "a", city: "Oslo")
    for number in 0..<100 { writer.insert(Sale("p", quantity: number, shop: shop)) }
    try writer.save()
    _ = try writer.fetchCount(FetchDescriptor<Sale>(predicate: #Predicate { $0.shop == nil }))
    let context = ModelContext(writer.container)
    let statements = try recorder.statements {
      let (count, sum) = try context.aggregate(FetchDescriptor<Sale>(), .count, .sum(\.quantity))
      #expect(count == 100 && sum == 4_950)
      let cities = try context.aggregate(FetchDescriptor<Sale>(), groupBy: \.shop?.city, select: .count)
      #expect(cities.count == 1 && cities[0] == ("Oslo", 100))
      let shops = try context.fetch(FetchDescriptor<Shop>(), select: .value(\.name), .count(\.sales))
      #expect(shops.count == 1 && shops[0] == ("a", 100))
    }
    #expect(statements.count == 3, "\(statements)")
    #expect(context.liveModelCount == 0)
  }

  @Test func `one column is an array of its values`() throws {
    let context = try makeSales()
    let shop = Shop(name: "a", city: "Oslo")
    for (index, weight) in [1.5, nil, 2.5].enumerated() {
      context.insert(Sale("p", quantity: index, weight: weight, shop: shop))
    }
    context.insert(Shop(name: "b"))
    let sales = FetchDescriptor<Sale>(sortBy: [SortDescriptor(\.quantity)])
    #expect(try context.fetch(sales, select: \.weight).compactMap { $0 } == [1.5, 2.5])
    var sum = 0.0
    for case let weight? in try context.fetch(sales, select: .value(\.weight)) { sum += weight }
    #expect(sum == 4)
    let shops = FetchDescriptor<Shop>(sortBy: [SortDescriptor(\.name)])
    #expect(try context.fetch(shops, select: .count(\.sales)) == [3, 0])
    #expect(try context.fetch(shops, select: \.city).map { $0 ?? "-" } == ["Oslo", "-"])
  }

  @Test func `with a limit the first rows count, in the descriptor's order`() throws {
    let context = try makeSales()
    for number in 1...10 { context.insert(Sale("p", quantity: number)) }
    try context.save()
    var descriptor = FetchDescriptor<Sale>(
      predicate: #Predicate { $0.quantity < 10 }, sortBy: [SortDescriptor(\.quantity, order: .reverse)])
    descriptor.fetchLimit = 3
    descriptor.fetchOffset = 1
    #expect(try context.aggregate(descriptor, .sum(\.quantity)) == 8 + 7 + 6)
  }

  @Test func `what is pending counts unless the descriptor says no`() throws {
    let context = try makeSales()
    context.insert(Sale("a", quantity: 1))
    try context.save()
    context.insert(Sale("b", quantity: 10))
    var descriptor = FetchDescriptor<Sale>()
    #expect(try context.aggregate(descriptor, .sum(\.quantity)) == 11)
    descriptor.includePendingChanges = false
    #expect(try context.aggregate(descriptor, .sum(\.quantity)) == 1)
    let draft = ModelContext(draftOf: context)
    draft.insert(Sale("c", quantity: 100))
    #expect(try draft.aggregate(FetchDescriptor<Sale>(), .sum(\.quantity)) == 111)
  }

  @Test func `unsigned integers have the average that they have in memory`() throws {
    let context = try makeSales()
    let numbers: [UInt64] = [1, 2, 3, .max, 1 << 63]
    for number in numbers { context.insert(Sale("a", big: number)) }
    try context.save()
    let average = try context.aggregate(FetchDescriptor<Sale>(), .average(\.big))
    #expect(average == numbers.map { Double($0) }.reduce(0, +) / 5)
  }

  @Test func `a sum in memory is exact if its type can hold it, whatever comes first`() {
    #expect(Int._sum(of: [.max, 1, -1]) == .max && Int._sum(of: [.min, -1, 1]) == .min)
    #expect(Int._sum(of: [.max, 1]) == .max && Int._sum(of: [.min, -1]) == .min)
    #expect(UInt64._sum(of: [.max, 1]) == .max && UInt8._sum(of: [200, 200]) == 400)
  }

  @Test func `a sum that its type cannot hold is an error`() throws {
    let context = try makeSales()
    for _ in 0..<2 { context.insert(Sale("a", quantity: .max, big: .max)) }
    try context.save()
    #expect(throws: SwiftDataError.storeFailure) { try context.aggregate(FetchDescriptor<Sale>(), .sum(\.quantity)) }
    #expect(throws: SwiftDataError.storeFailure) { try context.aggregate(FetchDescriptor<Sale>(), .sum(\.big)) }
  }

  @Test func `a row whose digits are none is an error, not left out`() throws {
    let context = try makeSales()
    for price in [1, 2] as [Decimal] { context.insert(Sale("a", price: price)) }
    try context.save()
    try context.execute(sql: "UPDATE \(Sale.self) SET \(\Sale.price) = 'two' WHERE \(\Sale.price) = '2'")
    let error = #expect(throws: SwiftDataError.storeFailure) {
      try context.aggregate(FetchDescriptor<Sale>(), .sum(\.price))
    }
    #expect(error?.message.contains("no decimal number") ?? false)
    #expect(throws: SwiftDataError.storeFailure) {
      try context.aggregate(FetchDescriptor<Sale>(), .average(\.price)) ?? 0
    }
  }

  @Test func `what SQL cannot aggregate is named before any runs`() throws {
    let recorder = StatementRecorder()
    let context = try makeSales(recorder)
    let error = #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try context.aggregate(FetchDescriptor<Sale>(), .sum(\.total))
    }
    #expect(error?.model == "Sale" && error?.message.contains("`\\Sale.(computed") ?? false)
    #expect(recorder.statements { _ = try? context.fetch(FetchDescriptor<Sale>(), select: \.total) }.isEmpty)
  }
}
