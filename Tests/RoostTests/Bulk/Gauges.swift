import Foundation
import Roost
import RoostTesting

// A property of each kind that an update in bulk sets, or refuses to.

enum Tint: Int, Codable, CaseIterable { case red, green, blue }

struct Locus: Codable, Equatable {
  var city: String
  var floor: Int
}

@Model final class Room {
  var name: String
  var bonus: Int
  var gauges: [Gauge] = []
  @Relationship(maximumModelCount: 2, inverse: \Gauge.shelf) var shelved: [Gauge] = []

  init(name: String, bonus: Int = 0) {
    self.name = name
    self.bonus = bonus
  }
}

@Model final class Lid {
  var gauge: Gauge?

  init() {}
}

@Model final class Gauge {
  var name: String
  var count = 0
  var small: Int8 = 0
  var big: UInt64 = 0
  var level = 0.0
  var ratio: Float = 0
  var price: Decimal = 0
  var limit: Int?
  var peak: Double?
  var isOn = false
  var color = Tint.red
  var date: Date?
  var note: String?
  var place = Locus(city: "", floor: 0)
  var other: Locus?
  var bytes: Data?
  var id = UUID()
  @Attribute(.ephemeral) var shade = 0
  @Attribute(.externalStorage) var image: Data?
  @Relationship(inverse: \Room.gauges) var room: Room?
  var shelf: Room?
  @Relationship(inverse: \Lid.gauge) var lid: Lid?
  var twice: Int { count * 2 }

  init(_ name: String, count: Int = 0) {
    self.name = name
    self.count = count
  }
}

@Model final class Runner {
  @Attribute(.unique) var rank: Int
  var name: String

  init(rank: Int, name: String) {
    self.rank = rank
    self.name = name
  }
}

func makeGauges(_ recorder: StatementRecorder? = nil) throws -> ModelContext {
  let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
  return ModelContext(
    try ModelContainer(
      for: Gauge.self, Runner.self, configurations: recorder.map { configuration.recording(to: $0) } ?? configuration))
}

extension ModelContext {
  /// All gauges by name, as the context sees them.
  func gauges() throws -> [Gauge] { try fetch(FetchDescriptor(sortBy: [SortDescriptor(\Gauge.name)])) }
}
