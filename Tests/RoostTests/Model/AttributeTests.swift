import Foundation
import Roost
import RoostEngine
import Testing

private struct Point: Codable, Hashable, Sendable {
  var x: Double
  var y: Double?
  var names: [String]
}

private enum Depth: Int, Codable, CaseIterable { case low = -1, high = 7 }
private enum Color: String, Codable, CaseIterable { case red, green }
private enum Plain: Codable, CaseIterable { case first, second }
private indirect enum Formula: Codable, Equatable {
  case constant(Double)
  case sum(Formula, Formula)
}

@Model private final class Everything {
  var bool: Bool
  var int: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var uint: UInt
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var uint64: UInt64
  var float: Float
  var double: Double
  var string: String
  var date: Date
  var data: Data
  var uuid: UUID
  var url: URL
  var decimal: Decimal
  var level: Depth
  var color: Color
  var plain: Plain
  var formula: Formula
  var point: Point
  var points: [Point]
  var numbers: Set<Int>
  var table: [String: Int]
  private(set) var nested: [String: [Point?]]
  var optionalInt: Int?
  var optionalString: String?
  var optionalData: Data?
  var optionalDate: Date?
  var optionalDecimal: Decimal?
  var optionalPoint: Point?
  var optionalColor: Color?
  private(set) var number: Int
  var count = 0
  var kind = Color.green

  init(number: Int, random: inout SeededRandom) {
    self.number = number
    bool = Bool.random(using: &random)
    int = random.any()
    int8 = random.any()
    int16 = random.any()
    int32 = random.any()
    int64 = random.any()
    uint = random.any()
    uint8 = random.any()
    uint16 = random.any()
    uint32 = random.any()
    uint64 = random.any()
    float = Float(random.double()) + 0  // no negative zero
    double = random.double()
    string = random.string()
    date = Date(timeIntervalSinceReferenceDate: random.double())
    data = random.data()
    uuid = UUID(
      uuid: withUnsafeBytes(of: (random.next(), random.next())) { $0.loadUnaligned(as: uuid_t.self) })
    url = URL(string: "https://example.org/\(random.next())?q=a%20b#f") ?? URL(filePath: "/")
    decimal = random.decimal()
    level = Depth.allCases.randomElement(using: &random) ?? .low
    color = Color.allCases.randomElement(using: &random) ?? .red
    plain = Plain.allCases.randomElement(using: &random) ?? .first
    formula = .sum(.constant(1.5), .sum(.constant(-0.1), .constant(1e300)))
    let point = Point(x: random.double(), y: random.once(in: 2) ? nil : random.double(), names: [random.string()])
    self.point = point
    points = random.once(in: 3) ? [] : [point, point]
    numbers = Set((0..<random.below(5)).map { _ in random.any() })
    table = Dictionary((0..<random.below(4)).map { ("\($0) \(random.string())", $0) }) { first, _ in first }
    nested = ["a": [nil, point], "": []]
    if random.once(in: 2) {
      optionalInt = random.any()
      optionalString = random.string()
      optionalData = random.data()
      optionalDate = Date(timeIntervalSinceReferenceDate: random.double())
      optionalDecimal = random.decimal()
      optionalPoint = point
      optionalColor = .red
    }
  }

  /// Every value, in a form in which no two different ones are equal.
  var values: [String] {
    [
      "\(bool) \(int) \(int8) \(int16) \(int32) \(int64) \(uint) \(uint8) \(uint16) \(uint32) \(uint64)",
      "\(float.bitPattern) \(double.bitPattern)", Array(string.utf8).description,
      "\(date.timeIntervalSinceReferenceDate.bitPattern)", Array(data).description, "\(uuid)", "\(url)", "\(decimal)",
      "\(level) \(color) \(plain) \(formula)",
      "\(point) \(points) \(numbers.sorted()) \(table.sorted { $0.key < $1.key })",
      "\(nested.sorted { $0.key < $1.key })", "\(optionalInt as Any) \(optionalString.map { Array($0.utf8) } as Any)",
      "\(optionalData.map(Array.init) as Any) \(optionalDate?.timeIntervalSinceReferenceDate.bitPattern as Any)",
      "\(optionalDecimal as Any) \(optionalPoint as Any) \(optionalColor as Any) \(number) \(count) \(kind)",
    ]
  }
}

extension SeededRandom {
  fileprivate mutating func any<Number: FixedWidthInteger>() -> Number {
    pick([.min, .max, 0, 1, Number(truncatingIfNeeded: next()), Number(truncatingIfNeeded: next())])
  }

  /// Any number but a NaN, which is refused, and a negative zero, whose sign SQLite drops.
  fileprivate mutating func double() -> Double {
    let double = pick([
      0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, Double(bitPattern: next()),
      Double(bitPattern: next()),
    ])
    return double.isNaN || double == 0 ? 0 : double
  }

  fileprivate mutating func string() -> String {
    let strings = ["", "\0", "a\0b", "é", "e\u{301}", "👩‍👩‍👧‍👦", "\u{10FFFF}", "'\"--;"]
    return pick(strings + [String(repeating: "x", count: below(20_000))])
  }

  fileprivate mutating func data() -> Data {
    pick([Data(), Data([0]), Data((0..<below(5_000)).map { _ in UInt8(truncatingIfNeeded: next()) })])
  }

  /// Up to 38 digits, with exponents over the whole range.
  fileprivate mutating func decimal() -> Decimal {
    let digits = (0..<(1 + below(38))).map { _ in "\(below(10))" }.joined()
    let text = (once(in: 2) ? "-" : "") + digits + (once(in: 2) ? "e\(below(200) - 120)" : "")
    return Decimal(string: text) ?? 0
  }
}

@Suite struct AttributeTests {
  @Test func `every value of every type comes back as it was`() throws {
    let seed = SeededRandom.seed
    var random = SeededRandom(seed: seed)
    let container = try ModelContainer(
      for: Everything.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let models = (0..<300).map { Everything(number: $0, random: &random) }
    models.forEach { context.insert($0) }
    try context.save()
    let found = try ModelContext(container).fetch(FetchDescriptor<Everything>(sortBy: [SortDescriptor(\.number)]))
    #expect(found.count == models.count)
    for (model, other) in zip(models, found) {
      for (value, same) in zip(model.values, other.values) { try #require(value == same, "seed \(seed)") }
    }
  }

  @Test func `a NaN is refused by the save, which names the property`() throws {
    let container = try ModelContainer(
      for: Everything.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    var random = SeededRandom(seed: 1)
    let model = Everything(number: 1, random: &random)
    model.double = .nan
    context.insert(model)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure && error?.property == "double")
    #expect(context.hasChanges)
  }

  @Test(arguments: [
    ("int8", "300"), ("int16", "-40000"), ("int32", "9999999999"), ("uint8", "-1"), ("uint16", "70000"),
    ("uint32", "-1"), ("decimal", "'1.2.3'"), ("uuid", "x'0102'"), ("level", "5"), ("color", "'blue'"),
    ("plain", "'{\"third\":{}}'"), ("formula", "'{'"), ("point", "'{\"x\":1}'"), ("points", "'[1]'"),
    ("numbers", "'[1.5]'"), ("table", "'{\"a\":null}'"), ("nested", "''"), ("optionalDecimal", "'NaN!'"),
    ("optionalPoint", "'null'"), ("optionalColor", "''"),
  ])
  func `a column with no value of its type throws model, property and row`(_ column: String, _ value: String) throws {
    let folder = try TemporaryFolder()
    let context = ModelContext(try ModelContainer(for: Everything.self, configurations: .init(url: folder.store)))
    var random = SeededRandom(seed: 1)
    let model = Everything(number: 1, random: &random)
    context.insert(model)
    try context.save()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Everything SET \"\(column)\" = \(value)")
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContext(context.container).fetch(FetchDescriptor<Everything>())
    }
    #expect(error == .corruptValue && error?.model == "Everything" && error?.property == column)
    #expect(error?.row == model.persistentModelID)
  }
}
