import Foundation
import Roost
import RoostEngine
import Testing

private struct Price: Codable, Equatable {
  var amount: Decimal
  var note = "NaN [\"N\\\"N"
  var ratio: Double = 0
  var small: Float = 0
  var history: [Decimal?] = []
  var byName: [String: Double] = [:]
}

private enum Cost: Codable, Equatable {
  case free
  case fixed(Decimal)
  indirect case both(Cost, Double)
}

/// Made by its own initialiser alone, which refuses what a program may yet put into it.
private struct Percent: RawRepresentable, Codable, Equatable {
  var rawValue: Int
  init?(rawValue: Int) {
    guard (0...100).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }
}

private struct Scale: RawRepresentable, Codable, Equatable {
  var rawValue: Double
}

private enum Halves: AttributeTransformer {
  static func stored(_ value: Double) -> Decimal { value.isNaN ? .nan : Decimal(value) / 2 }
  static func value(_ stored: Decimal) -> Double { (stored * 2 as NSDecimalNumber).doubleValue }
}

@Model private final class Item {
  var name: String
  var price = Price(amount: 1)
  var maybe: Price?
  var amounts: [Decimal] = []
  var pairs: [[Decimal]] = []
  var bag: Set<Decimal> = []
  var table: [String: Decimal] = [:]
  var byAmount: [Decimal: Int] = [:]
  var cost = Cost.free
  var percent = Percent(rawValue: 1)
  var scale = Scale(rawValue: 1)
  var decimal: Decimal = 0
  var double = 0.0
  var float: Float = 0
  var date = Date(timeIntervalSinceReferenceDate: 0)
  @Attribute(.codable) var opaque = Price(amount: 1)
  @Attribute(.transformable(by: Halves.self)) var half = 1.0

  init(name: String) { self.name = name }

  /// Every value, in a form in which no two different ones are equal.
  var values: [String] {
    [
      "\(price)", "\(maybe as Any)", "\(amounts)", "\(pairs)", "\(bag.sorted())",
      "\(table.sorted { $0.key < $1.key })", "\(byAmount.sorted { $0.key < $1.key })", "\(cost)", "\(scale) \(decimal)",
      "\(percent as Any) \(double) \(float) \(date.timeIntervalSinceReferenceDate)", "\(opaque)", "\(half)",
    ]
  }
}

/// NaN and the infinities, wherever they hide: what is saved comes back, and what would not is refused by the save.
@Suite struct SpecialNumberTests {
  private func makeContext(_ folder: TemporaryFolder) throws -> ModelContext {
    ModelContext(try ModelContainer(for: Item.self, configurations: ModelConfiguration(url: folder.store)))
  }

  private static let refused: [(String, @Sendable (Item) -> Void)] = [
    ("price", { $0.price.amount = .nan }), ("price", { $0.price.history = [1, nil, .nan] }),
    ("maybe", { $0.maybe = Price(amount: .nan) }), ("amounts", { $0.amounts = [1, .nan] }),
    ("pairs", { $0.pairs = [[], [.nan]] }), ("bag", { $0.bag = [1, .nan] }), ("table", { $0.table["a"] = .nan }),
    ("byAmount", { $0.byAmount = [.nan: 1] }), ("cost", { $0.cost = .fixed(.nan) }),
    ("cost", { $0.cost = .both(.both(.fixed(.nan), 1), 2) }), ("percent", { $0.percent?.rawValue = 101 }),
    ("scale", { $0.scale.rawValue = .nan }), ("decimal", { $0.decimal = .nan }), ("double", { $0.double = .nan }),
    ("float", { $0.float = .nan }), ("date", { $0.date = Date(timeIntervalSinceReferenceDate: .nan) }),
    ("opaque", { $0.opaque.amount = .nan }), ("half", { $0.half = .nan }),
  ]

  @Test(arguments: refused.indices)
  func `a NaN that could not be read again fails the save, which names model, property and row`(_ place: Int) throws {
    let (property, set) = Self.refused[place]
    let folder = try TemporaryFolder()
    let context = try makeContext(folder)
    let (sound, item) = (Item(name: "sound"), Item(name: "bad"))
    context.insert(sound)
    context.insert(item)
    set(item)
    let first = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(first?.model == "Item" && first?.property == property)
    // The same of an edit.
    context.delete(item)
    try context.save()
    set(sound)
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(error?.model == "Item" && error?.property == property && error?.row == sound.persistentModelID)
    #expect(context.hasChanges)
    #expect(try makeContext(folder).fetch(FetchDescriptor<Item>()).map(\.name) == ["sound"])
  }

  @Test func `no other way into the store takes a NaN that could not be read again`() throws {
    let folder = try TemporaryFolder()
    let context = try makeContext(folder)
    let item = Item(name: "sound")
    context.insert(item)
    try context.save()

    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(model: Item.self, set: .set(\.price, to: Price(amount: .nan)))
    }
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(model: Item.self, set: .set(\.amounts, to: [.nan]))
    }
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(model: Item.self, set: .set(\.decimal, to: .nan))
    }
    #expect(throws: SwiftDataError.invalidSQL) {
      try context.execute(sql: "UPDATE \(Item.self) SET \(\Item.amounts) = \(json: [Decimal.nan])")
    }
    #expect(throws: SwiftDataError.invalidSQL) {
      try context.execute(sql: "UPDATE \(Item.self) SET \(\Item.price) = \(Price(amount: .nan))")
    }

    let other = Item(name: "other")
    other.amounts = [.nan]
    let snapshot = other.snapshot()
    #expect(throws: SwiftDataError.modelValidationFailure) { try item.apply(snapshot) }
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.insert(snapshot) }
    context.rollback()
    #expect(try makeContext(folder).fetch(FetchDescriptor<Item>()).map(\.values) == [Item(name: "sound").values])
  }

  @Test func `a query for a NaN finds nothing or is refused, and never fails in SQL`() throws {
    let folder = try TemporaryFolder()
    let context = try makeContext(folder)
    context.insert(Item(name: "a"))
    try context.save()
    let (nan, price) = (Decimal.nan, Price(amount: .nan))
    let predicates: [Predicate<Item>] = [
      #Predicate { $0.decimal == nan }, #Predicate { $0.amounts.contains(nan) }, #Predicate { $0.price == price },
      #Predicate { $0.price.amount == nan },
    ]
    for predicate in predicates {
      do {
        #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == 0)
      } catch SwiftDataError.unsupportedPredicate {}
    }
  }

  @Test func `rows that hold a NaN already hide no others, and can be mended`() throws {
    let folder = try TemporaryFolder()
    let context = try makeContext(folder)
    for name in ["a", "b", "c"] { context.insert(Item(name: name)) }
    try context.save()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute(
      "UPDATE Item SET amounts = '[NaN]' WHERE name = 'b'; UPDATE Item SET price = '{\"amount\":NaN}' WHERE name = 'c'")
    let reader = try makeContext(folder)
    #expect(throws: SwiftDataError.corruptValue) { try reader.fetch(FetchDescriptor<Item>()) }
    var bad: [String?] = []
    let sound = try reader.fetch(FetchDescriptor<Item>()) { bad.append($0.property) }
    #expect(sound.map(\.name) == ["a"] && bad == ["amounts", "price"])
    try reader.execute(sql: "UPDATE \(Item.self) SET \(\Item.amounts) = \(json: [Decimal]()) WHERE \(\Item.name) = 'b'")
    try reader.delete(model: Item.self, where: #Predicate { $0.name == "c" })
    try reader.save()
    #expect(try makeContext(folder).fetch(FetchDescriptor<Item>()).map(\.name) == ["a", "b"])
  }

  // MARK: - At random

  private struct Numbers {
    var random: SeededRandom

    mutating func decimal() -> Decimal {
      let digits = (0..<(1 + random.below(38))).map { _ in "\(random.below(10))" }.joined()
      let number = Decimal(string: "\(digits)e\(random.below(200) - 120)") ?? 0
      return random.pick([
        .nan, 0, number, -number, number, .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude,
      ])
    }

    mutating func double() -> Double {
      let double = random.pick([
        0.1, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, Double(bitPattern: random.next()),
      ])
      return double.isNaN ? 1 : double
    }

    mutating func price() -> Price {
      Price(
        amount: decimal(), ratio: double(), small: Float(double()),
        history: random.once(in: 3) ? [nil, decimal()] : [],
        byName: ["a": double()])
    }

    mutating func change(_ item: Item) {
      switch random.below(12) {
      case 0: item.price = price()
      case 1: item.maybe = random.once(in: 3) ? nil : price()
      case 2: item.amounts = [decimal(), decimal()]
      case 3: item.pairs = [[], [decimal()]]
      case 4: item.bag = [decimal(), decimal()]
      case 5: item.table = ["NaN": decimal()]
      case 6: item.byAmount = [decimal(): 1]
      case 7: item.cost = .both(.fixed(decimal()), double())
      case 8: item.scale = Scale(rawValue: double() + 0)
      case 9: item.opaque = price()
      case 10: (item.double, item.float) = (double() + 0, Float(double()) + 0)
      default: item.decimal = decimal()
      }
    }
  }

  @Test func `what is saved comes back as it was, or the save throws`() throws {
    let seed = SeededRandom.seed
    var numbers = Numbers(random: SeededRandom(seed: seed))
    let container = try ModelContainer(
      for: Item.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    var (saved, refused) = (0, 0)
    for number in 0..<400 {
      let context = ModelContext(container)
      let item = Item(name: "\(number)")
      for _ in 0...numbers.random.below(3) { numbers.change(item) }
      context.insert(item)
      do {
        try context.save()
      } catch SwiftDataError.modelValidationFailure {
        refused += 1
        continue
      }
      saved += 1
      let key = item.persistentModelID
      let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Item>()).first { $0.id == key })
      try #require(found.values == item.values, "seed \(seed)")
    }
    #expect(saved > 50 && refused > 20)
  }
}
