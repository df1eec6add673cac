/// What both ends of the wire call things.
package enum SyncWire {
  package static let begin = "/v1/begin"
  /// The type of a body that is a ``SyncCodable``.
  package static let bytes = "application/octet-stream"
  package static let json = "application/json"
  package static let events = "text/event-stream"
  /// The most bytes of a session's beginning, with a program's schema.
  package static let mostBeginning = 1 << 20
  /// The most bytes that a push takes besides its edits.
  package static let pushFrame = 1 << 10
  /// How many bytes of rows a page stops at: the row that goes beyond is its last.
  package static let pageBytes = 8 << 20
  /// How many bytes a second a body must come with, besides a minute, so that slow connections get through.
  package static let leastBytesPerSecond = 16 << 10
  /// A stream of heads says something at least so often, in seconds, so that both ends know that the other is there.
  package static let heartbeat = 15

  /// The path of what is asked of a zone.
  package static func path(_ zone: String, _ what: String) -> String {
    var path = "/v1/zones/"
    for byte in zone.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        path.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        path += byte < 16 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return "\(path)/\(what)"
  }
}

/// What a server answers by HTTP in place of what was asked for.
package struct SyncFailure: Hashable, Sendable, Codable {
  /// What the zone refuses; nil for all else, which the status tells.
  package var zone: SyncZoneError?
  /// For people.
  package var reason: String

  package init(zone: SyncZoneError? = nil, reason: String) { (self.zone, self.reason) = (zone, reason) }
}
