import Foundation
import Roost

@Model
final class TenIntegersModel {
  var i0: Int
  var i1: Int
  var i2: Int
  var i3: Int
  var i4: Int
  var i5: Int
  var i6: Int
  var i7: Int
  var i8: Int
  var i9: Int

  init(_ row: TenIntegers) {
    i0 = row.i0
    i1 = row.i1
    i2 = row.i2
    i3 = row.i3
    i4 = row.i4
    i5 = row.i5
    i6 = row.i6
    i7 = row.i7
    i8 = row.i8
    i9 = row.i9
  }
}

extension TenIntegers {
  init(_ model: TenIntegersModel) {
    (i0, i1, i2, i3, i4) = (model.i0, model.i1, model.i2, model.i3, model.i4)
    (i5, i6, i7, i8, i9) = (model.i5, model.i6, model.i7, model.i8, model.i9)
  }
}

extension TenIntegersWorkload {
  static func roostInsert(in folder: URL) throws -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let container = try ModelContainer(for: TenIntegersModel.self, configurations: ModelConfiguration(measured: file))
      return try timed {
        let context = ModelContext(container)
        for row in inserted { context.insert(TenIntegersModel(row)) }
        try context.save()
        return context
      } check: { _ in
        let found = try ModelContext(container).fetch(FetchDescriptor<TenIntegersModel>())
        try TenIntegers.check(found.map(TenIntegers.init), against: inserted, "roost")
      }
    }
  }

  /// Into a new context each round, as in `fetch-200k`.
  static func roostFetch(in folder: URL) throws -> Round {
    let store = ModelConfiguration(measured: folder.appending(path: "filled.store"))
    let container = try ModelContainer(for: TenIntegersModel.self, configurations: store)
    let context = ModelContext(container)
    for row in fetched { context.insert(TenIntegersModel(row)) }
    try context.save()
    return {
      try timed {
        let context = ModelContext(container)
        return (context, try context.fetch(FetchDescriptor<TenIntegersModel>()))
      } check: { _, found in
        try TenIntegers.check(found.map(TenIntegers.init), against: fetched, "roost")
      }
    }
  }
}
