import Foundation

/// A composite attribute with a field of every scalar type, some under another name in JSON.
struct Packed: Codable, Hashable, Sendable {
  var flag = false
  var maybeFlag: Bool?
  var number = 0
  var maybeNumber: Int?
  var int8: Int8 = 0
  var uint16: UInt16 = 0
  var uint64: UInt64 = 0
  var maybeUInt64: UInt64?
  var float: Float = 0
  var double: Double = 0
  var maybeDouble: Double?
  var text = ""
  var otherText = ""
  var maybeText: String?
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var maybeDate: Date?
  var data = Data()
  var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var maybeUUID: UUID?
  var url = URL(filePath: "/")
  var maybeURL: URL?
  var decimal: Decimal = 0
  var maybeDecimal: Decimal?
  var level = Level.low
  var maybeLevel: Level?
  var kind = Kind.plain
  var otherKind = Kind.plain
  var maybeKind: Kind?
  var place = Place(city: "", code: 0)
  var maybePlace: Place?
  var inner = Inner()

  struct Inner: Codable, Hashable, Sendable {
    var text = ""
    var double: Double = 0
    var maybeNumber: Int?

    enum CodingKeys: String, CodingKey {
      case text = "the text"
      case double, maybeNumber
    }
  }

  enum CodingKeys: String, CodingKey {
    case flag, maybeFlag, number, maybeNumber, int8, uint16, uint64, maybeUInt64, float, double, maybeDouble
    // Each under the other's name.
    case text = "otherText"
    case otherText = "text"
    case otherKind = "kind"
    case kind = "otherKind"
    case maybeText, date, maybeDate, data, uuid, maybeUUID, url, maybeURL, decimal, maybeDecimal, level, maybeLevel
    case maybeKind, place, maybePlace
    case inner = "é inner"
  }
}

extension Packed: Sample {
  static func sample(_ random: inout SeededRandom) -> Packed {
    Packed(
      flag: .sample(&random), maybeFlag: .sample(&random), number: .sample(&random), maybeNumber: .sample(&random),
      int8: .sample(&random), uint16: .sample(&random), uint64: .sample(&random), maybeUInt64: .sample(&random),
      float: .sample(&random), double: .sample(&random), maybeDouble: .sample(&random), text: .sample(&random),
      otherText: .sample(&random), maybeText: .sample(&random), date: .sample(&random), maybeDate: .sample(&random),
      data: .sample(&random), uuid: .sample(&random), maybeUUID: .sample(&random), url: .sample(&random),
      maybeURL: .sample(&random), decimal: .sample(&random), maybeDecimal: .sample(&random), level: .sample(&random),
      maybeLevel: .sample(&random), kind: .sample(&random), otherKind: .sample(&random), maybeKind: .sample(&random),
      place: .sample(&random), maybePlace: .sample(&random),
      inner: Inner(text: .sample(&random), double: .sample(&random), maybeNumber: .sample(&random)))
  }
}
