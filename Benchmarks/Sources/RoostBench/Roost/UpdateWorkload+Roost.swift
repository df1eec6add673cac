import Foundation
import Roost

/// A number to count up, and a condition.
@Model
final class Counter {
  var title: String
  var count: Int
  var isOn: Bool

  init(title: String, count: Int, isOn: Bool) {
    self.title = title
    self.count = count
    self.isOn = isOn
  }
}

extension UpdateWorkload {
  static func roost(in folder: URL) throws -> Round {
    let file = folder.appending(path: "update-roost.store")
    let container = try ModelContainer(for: Counter.self, configurations: ModelConfiguration(measured: file))
    try Database(file, tuned: true).execute(insertion(into: "Counter"))
    var round = 0
    return {
      round += 1
      return try timed {
        _ = try ModelContext(container).update(
          model: Counter.self, where: #Predicate { $0.isOn }, set: \.count += 1)
      } check: {
        try check(file, "Counter", after: round)
      }
    }
  }
}
