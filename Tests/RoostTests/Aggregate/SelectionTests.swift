import Foundation
import Roost
import RoostTesting
import Testing

@Selection(of: Sale.self) struct SaleLine: Equatable {
  let product: String
  var price: Decimal
  @Select(\Sale.shop?.name) var shop: String?
  var note = "none"
  var isCheap: Bool { price < 1 }
}

@Selection(of: Sale.self) private struct ShopFigures: Equatable {
  @Select(\Sale.shop?.city) var city: String?
  @Select(.month(\Sale.date)) var month: Date
  @Select(.count) var sales: Int
  @Select(.sum(\Sale.quantity)) var quantity: Int
  @Select(.average(\Sale.weight)) var weight: Double?
  @Select(.max(\Sale.big)) let big: UInt64?
}

@Selection(of: Sale.self) private struct Total {
  @Select(.count) var `default`: Int
  @Select(.min(\Sale.product)) var first: String?

  /// An initialiser of its own takes the memberwise one away.
  init() { (self.default, first) = (0, nil) }
}

@Selection(of: Shop.self) struct ShopLine {
  var persistentModelID: PersistentIdentifier
  var name: String
  @Select(.count(\Shop.sales)) var count: Int
  @Select(.sum(\Shop.sales, \.price)) var price: Decimal
}

/// Structs as results of queries.
@Suite struct SelectionTests {
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

  private let last = FetchDescriptor<Sale>(sortBy: [SortDescriptor(\.quantity, order: .reverse)])

  @Test func `an initialiser makes a struct of each row`() throws {
    struct Line: Equatable {
      let product: String, quantity: Int, city: String?
    }
    var descriptor = last
    descriptor.fetchLimit = 3
    let expected = [
      Line(product: "nut", quantity: 6, city: "Rome"), Line(product: "egg", quantity: 5, city: "Rome"),
      Line(product: "tea", quantity: 4, city: nil),
    ]
    #expect(try context.fetch(descriptor, select: \.product, \.quantity, \.shop?.city, as: Line.init) == expected)
    let columns = try context.fetch(
      descriptor, select: .value(\.product), .value(\.quantity), .value(\Sale.shop?.city), as: Line.init)
    #expect(columns == expected)
    #expect(try context.fetch(descriptor, select: \.product) { $0.uppercased() } == ["NUT", "EGG", "TEA"])
    struct Refused: Error {}
    #expect(throws: Refused.self) { try context.fetch(descriptor, select: \.product) { _ in throw Refused() } }
  }

  @Test func `a selection has a property a column, and no model is made`() throws {
    let other = ModelContext(context.container)
    var descriptor = last
    descriptor.fetchLimit = 2
    descriptor.fetchOffset = 1
    let lines = try other.fetch(descriptor, as: SaleLine.self)
    #expect(lines.map(\.product) == ["egg", "tea"] && lines.map(\.shop) == ["south", nil])
    #expect(lines.map(\.price) == [Decimal(string: "0.5"), Decimal(string: "0.4")])
    #expect(lines.allSatisfy { $0.note == "none" && $0.isCheap })
    #expect(other.liveModelCount == 0)
    let shops = try other.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.name)]), as: ShopLine.self)
    #expect(shops.map(\.count) == [2, 3] && shops.map(\.price) == [Decimal(string: "0.4"), Decimal(string: "1.3")])
    #expect(shops.map { (other.model(for: $0.persistentModelID) as? Shop)?.name } == shops.map(\.name))
  }

  @Test func `rows are grouped by what is not made of many`() throws {
    let figures = try context.aggregate(FetchDescriptor(), as: ShopFigures.self)
    #expect(figures.map(\.city) == [nil, "Oslo", "Rome"])
    #expect(figures.map(\.sales) == [1, 2, 3] && figures.map(\.quantity) == [4, 4, 13])
    #expect(
      figures.allSatisfy { $0.weight == nil && $0.big == 0 && $0.month == Date(timeIntervalSinceReferenceDate: 0) })
    let chosen = try context.aggregate(
      FetchDescriptor(predicate: #Predicate { $0.quantity > 1 }), as: ShopFigures.self, having: .sum(\.quantity) > 3,
      orderBy: [.descending(.sum(\.quantity))], limit: 1, offset: 1)
    #expect(chosen.map(\.city) == [nil])
    let totals = try context.aggregate(last, as: Total.self)
    #expect(totals.count == 1 && totals[0].default == 6 && totals[0].first == "egg")
    let products = try context.aggregate(FetchDescriptor(), as: SaleLine.self)
    #expect(products.map(\.product) == ["egg", "nut", "nut", "tea", "tea", "tea"])
  }

  @Test func `what is pending counts, and limits count rows before they are grouped`() throws {
    context.insert(Sale("tea", quantity: 10))
    var descriptor = last
    descriptor.fetchLimit = 2
    let figures = try context.aggregate(descriptor, as: ShopFigures.self)
    #expect(figures.map(\.city) == [nil, "Rome"] && figures.map(\.quantity) == [10, 6])
  }

  @Test func `what is made of many rows is refused where each row is one result`() throws {
    let error = #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try context.fetch(FetchDescriptor(), as: ShopFigures.self)
    }
    #expect(error?.message.contains("`big` of ShopFigures") == true)
    #expect(error?.remedy?.contains("aggregate(_:as:)") == true)
  }
}
