import Foundation
import Roost

// Of the main actor by default, with what they conform to.

struct Spot: Codable {
  var name: String
  var point = Point(x: 0, y: 0)
}

struct Point: Codable {
  var x: Double
  var y: Double
}

enum Shape: Codable {
  case dot
  case circle(Double)
  case path([Point], on: Spot?)
}

/// Its own coding, not the compiler's.
struct Measure: Codable {
  var value: Int

  init(_ value: Int) { self.value = value }

  init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int.self) / 10 }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value * 10)
  }
}

/// Has a type of the name that a standard one has.
enum Chart {
  struct Data: Codable { var points: [Int] }
}

enum Grade: String, Codable, CaseIterable { case good, bad }

@Model final class Drawing {
  var name: String
  var spot: Spot
  var other: Spot?
  var shape = Shape.dot
  var last: Shape?
  var shapes: [Shape] = []
  var byName: [String: Spot] = [:]
  var perhaps: [Spot]?
  var grade = Grade.good
  var grades: [Grade] = []
  var measure: Measure?
  var chart: Chart.Data?
  @Attribute(.codable) var opaque: Spot?
  @Attribute(.externalStorage) var large: [Point]?

  init(name: String, spot: Spot = Spot(name: "here")) {
    self.name = name
    self.spot = spot
  }
}
