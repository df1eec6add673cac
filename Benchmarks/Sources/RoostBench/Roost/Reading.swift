import Foundation
import Roost

/// A row of the queries' table.
@Model
final class Reading {
  #Index<Reading>([\.sensor])
  var sensor: Int
  var kind: Int
  var value: Double
  var date: Date
  var note: String

  init(sensor: Int, kind: Int, value: Double, date: Date, note: String) {
    self.sensor = sensor
    self.kind = kind
    self.value = value
    self.date = date
    self.note = note
  }
}
