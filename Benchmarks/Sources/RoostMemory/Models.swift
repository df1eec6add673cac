import Foundation
import Roost

@Model
final class Measurement {
  var number: Int
  var value: Double
  var note: String

  init(number: Int, value: Double, note: String) {
    self.number = number
    self.value = value
    self.note = note
  }
}

/// The same rows later: the number is a text, so that each is written anew.
enum Later: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Measurement.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  @Model final class Measurement {
    var number: String
    var value: Double
    var note: String

    init(number: String, value: Double, note: String) {
      (self.number, self.value, self.note) = (number, value, note)
    }
  }
}

enum Earlier: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Measurement.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)
}

enum MeasurementPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [Earlier.self, Later.self]
  static let stages: [MigrationStage] = [
    .custom(
      from: Earlier.self, to: Later.self,
      steps: [.transform(\Measurement.number, to: \Later.Measurement.number) { String($0) }])
  ]
}
