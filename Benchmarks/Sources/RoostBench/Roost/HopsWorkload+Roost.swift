import Foundation
import Roost

extension HopsWorkload {
  static func roost(in folder: URL) throws -> Round {
    let file = folder.appending(path: "parcels.store")
    let store = ModelConfiguration(measured: file)
    try ModelContainer(for: Parcel.self, configurations: store).close()
    try Database(file, tuned: true).execute(fill)
    let container = try ModelContainer(for: Parcel.self, configurations: store)
    return {
      try timed {
        let context = ModelContext(container)
        return try names.reduce(0) { sum, name in
          let parcels = FetchDescriptor<Parcel>(
            predicate: #Predicate { $0.van?.depot?.city?.region?.country?.name == name })
          let (count, weight) = try context.aggregate(parcels, .count, .sum(\.weight))
          return mix(sum, count, weight)
        }
      } check: {
        try check($0, "roost")
      }
    }
  }
}
