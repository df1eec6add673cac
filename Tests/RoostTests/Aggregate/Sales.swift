import Foundation
import Roost
import RoostTesting

@Model final class Shop {
  var name: String
  var city: String?
  @Relationship(inverse: \Sale.shop) var sales: [Sale] = []

  init(name: String, city: String? = nil) {
    self.name = name
    self.city = city
  }
}

@Model final class Sale {
  var product: String
  var price: Decimal
  var quantity: Int
  var small: Int16
  var weight: Double?
  var big: UInt64
  var isPaid: Bool
  var date: Date
  var tags: [String] = []
  var shop: Shop?
  var total: Decimal { price * Decimal(quantity) }

  init(
    _ product: String, price: Decimal = 1, quantity: Int = 1, small: Int16 = 1, weight: Double? = nil, big: UInt64 = 0,
    isPaid: Bool = false, date: Date = Date(timeIntervalSinceReferenceDate: 0), shop: Shop? = nil
  ) {
    self.product = product
    self.price = price
    self.quantity = quantity
    self.small = small
    self.weight = weight
    self.big = big
    self.isPaid = isPaid
    self.date = date
    self.shop = shop
  }

  static func random(_ random: inout some RandomNumberGenerator, shops: [Shop]) -> Sale {
    Sale(
      ["a", "b", "\u{e9}", "e\u{301}", "Z", ""].randomElement(using: &random) ?? "",
      price: Decimal(Int.random(in: -100_000...100_000, using: &random)) / 1_000,
      quantity: .random(in: -1_000...1_000, using: &random), small: .random(in: .min ... .max, using: &random),
      weight: Bool.random(using: &random) ? Double(Int.random(in: -64...64, using: &random)) / 8 : nil,
      big: .random(in: 0...(.max / 1_000), using: &random), isPaid: .random(using: &random),
      date: Date(timeIntervalSinceReferenceDate: .random(in: -1e8...1e9, using: &random)),
      shop: shops.randomElement(using: &random))
  }
}

func makeSales(_ recorder: StatementRecorder? = nil) throws -> ModelContext {
  var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
  if let recorder { configuration = configuration.recording(to: recorder) }
  return ModelContext(try ModelContainer(for: Shop.self, configurations: configuration))
}
