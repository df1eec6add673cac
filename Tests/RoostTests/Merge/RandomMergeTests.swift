import Foundation
import Roost
import Testing

/// Random edits of one row by two contexts, against what each policy makes of ancestors, own values and the store's.
@Suite struct RandomMergeTests {
  private struct Row: Equatable {
    var title: String
    var stars: Int
    var city: String
    var shade: Int

    init(_ note: MergedNote) {
      (title, stars, city, shade) = (note.title, note.stars, note.place?.city ?? "", note.shade?.level ?? -1)
    }

    subscript(property: Int) -> String {
      switch property {
      case 0: title
      case 1: "\(stars)"
      case 2: city
      default: "\(shade)"
      }
    }
  }

  private func set(_ note: MergedNote, _ property: Int, _ value: Int) {
    switch property {
    case 0: note.title = "\(value)"
    case 1: note.stars = value
    case 2: note.place = .init(city: "\(value)")
    default: note.shade = MergedShade(value)
    }
  }

  @Test(arguments: ModelContext.MergePolicy.allCases)
  func `each policy makes of both sides what it says`(_ policy: ModelContext.MergePolicy) throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    let scene = try MergeScene(policy)
    var conflictCount = 0
    for step in 0..<400 {
      let fetches = random.once(in: 2)
      _ = try scene.context.fetch(FetchDescriptor<MergedNote>())
      _ = try scene.other.fetch(FetchDescriptor<MergedNote>())
      let ancestor = Row(scene.note)
      var (own, stored): ([Int: String], [Int: String]) = ([:], [:])
      for property in 0..<4 {
        if random.once(in: 2) {
          let value = random.below(4)
          set(scene.note, property, value)
          own[property] = "\(value)"
        }
        if random.once(in: 2) {
          let value = random.below(4)
          set(scene.same, property, value)
          stored[property] = "\(value)"
        }
      }
      let edited = Row(scene.note)
      try scene.other.save()
      if fetches { _ = try scene.context.fetch(FetchDescriptor<MergedNote>()) }
      let conflicts = (0..<4).filter { property in
        guard let mine = own[property], let theirs = stored[property] else { return false }
        return theirs != ancestor[property] && theirs != mine
      }
      func expected(_ property: Int) -> String {
        let theirs = stored[property] ?? ancestor[property]
        switch policy {
        case .ownChangesWin: return own[property] ?? theirs
        case .ownObjectWins: return own.isEmpty ? theirs : edited[property]
        case .storeWins, .error: return conflicts.contains(property) ? theirs : own[property] ?? theirs
        }
      }
      do {
        try scene.context.save()
        if policy == .error { #expect(conflicts.isEmpty, "seed \(seed), step \(step)") }
      } catch let error as SwiftDataError where error == .mergeConflict {
        conflictCount += 1
        #expect(policy == .error, "seed \(seed), step \(step)")
        let names = conflicts.map { ["title", "stars", "place", "shade"][$0] }
        #expect(error.conflicts.first.map { Set($0.propertyNames) } == Set(names), "seed \(seed), step \(step)")
        try scene.context.resolve(error.conflicts, keeping: .store)
        try scene.context.save()
      }
      let row = Row(try scene.stored())
      for property in 0..<4 {
        #expect(row[property] == expected(property), "seed \(seed), step \(step), property \(property)")
      }
      _ = try scene.context.fetch(FetchDescriptor<MergedNote>())
      #expect(Row(scene.note) == row, "seed \(seed), step \(step)")
    }
    #expect(policy != .error || conflictCount > 20)
  }
}
