import Foundation
import Roost

extension RefetchWorkload {
  /// The context and an array keep all models from before the first round.
  static func roost(in folder: URL) throws -> Round {
    let context = ModelContext(try FetchWorkload.filledContainer(in: folder))
    let kept = try context.fetch(FetchDescriptor<Entry>())
    return {
      try timed {
        let found = try context.fetch(FetchDescriptor<Entry>())
        var touch = Touch()
        for entry in found { touch.add(title: entry.title, body: entry.body, date: entry.date) }
        return (found, touch)
      } check: { found, touched in
        try touched.check(against: FetchWorkload.touch, "roost")
        var sum = Checksum()
        for entry in found { sum.add(title: entry.title, body: entry.body, date: entry.date) }
        try sum.check(against: FetchWorkload.checksum, "roost")
        guard found.elementsEqual(kept, by: ===) else { throw BenchmarkError("roost has made models anew") }
      }
    }
  }
}
