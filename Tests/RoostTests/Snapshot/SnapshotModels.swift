import Foundation
import Roost

/// What a snapshot cannot take for granted: types that are no values, refuse to be encoded, or have no order.
@Model final class Device {
  var id = UUID()
  var name: String
  private(set) var serial = 1
  @Attribute(.codable) var settings = DeviceSettings(volume: 1)
  var limits: Set<Int> = []
  var load = 0.0
  var price: Decimal = 0
  var due: Date?
  var firmware = Firmware(version: "1")
  @Attribute(.ephemeral) var progress = 0.5
  @Transient var cache = ""
  @Relationship(inverse: \Device.parts) var whole: Device?
  var parts: [Device]? = []

  init(name: String) { self.name = name }

  var label: String { "\(name) \(serial)" }
}

/// A reference, and not Sendable.
final class DeviceSettings: Codable {
  var volume: Int
  init(volume: Int) { self.volume = volume }
}

struct Firmware: Codable, Equatable {
  var version: String

  struct HasNone: Error {}

  init(version: String) { self.version = version }

  func encode(to encoder: any Encoder) throws {
    if version.isEmpty { throw HasNone() }
    var container = encoder.singleValueContainer()
    try container.encode(version)
  }

  init(from decoder: any Decoder) throws { version = try decoder.singleValueContainer().decode(String.self) }
}

func makeDevices() throws -> ModelContext {
  ModelContext(try ModelContainer(for: Device.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
}
