import Foundation
import Roost

/// A model with a property of every storable type, to be asked random questions.
@Model final class Subject {
  var flag = false
  var maybeFlag: Bool?
  var number = 0
  var maybeNumber: Int?
  /// Small enough to compute with.
  var small = 0
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint: UInt = 0
  var uint64: UInt64 = 0
  var maybeUInt64: UInt64?
  var float: Float = 0
  var maybeFloat: Float?
  var double: Double = 0
  var maybeDouble: Double?
  var text = ""
  var otherText = ""
  var maybeText: String?
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var maybeDate: Date?
  var data = Data()
  var maybeData: Data?
  var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var maybeUUID: UUID?
  var url = URL(filePath: "/")
  var maybeURL: URL?
  var decimal: Decimal = 0
  var maybeDecimal: Decimal?
  var level = Level.low
  var maybeLevel: Level?
  var kind = Kind.plain
  var maybeKind: Kind?
  var grade = Standing.poor
  var place = Place(city: "", code: 0)
  var maybePlace: Place?
  var packed = Packed()
  var maybePacked: Packed?
  var reals: [Double] = []
  var places: [Place] = []
  var scores: [String: Int] = [:]
  var tags: Set<String> = []
  var words: [String] = []
  var digits: [Int] = []
  var owner: Owner?
  @Relationship(inverse: \Label.subjects) var labels: [Label] = []
  @Relationship(inverse: \Label.extraSubjects) var extras: [Label]? = []

  init() {}
}

@Model final class Owner {
  var name = ""
  var nickname: String?
  var rank = 0
  @Relationship(inverse: \Subject.owner) var subjects: [Subject] = []

  init() {}
}

@Model final class Label {
  var name = ""
  var weight: Double?
  var subjects: [Subject] = []
  var extraSubjects: [Subject] = []

  init() {}
}

/// Ordered otherwise than its raw values.
enum Level: Int, Codable, CaseIterable, Comparable, Sendable {
  case high = 1
  case low = 2
  case middle = 3

  var title: String { "\(self)" }
  var isHigh: Bool { self == .high }

  private var order: Int {
    switch self {
    case .low: 0
    case .middle: 1
    case .high: 2
    }
  }

  static func < (left: Level, right: Level) -> Bool { left.order < right.order }
}

/// Ordered as its raw values.
enum Standing: String, Codable, CaseIterable, Comparable, Sendable {
  case good = "B"
  case poor = "C"
  case best = "A"

  static func < (left: Standing, right: Standing) -> Bool { left.rawValue < right.rawValue }
}

enum Kind: String, Codable, Sendable {
  case plain
  case special = "K"
  case other = "é"
}

struct Place: Codable, Hashable, Sendable {
  var city: String
  var code: Double
}
