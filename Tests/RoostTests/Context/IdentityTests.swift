import Foundation
import Roost
import RoostTesting
import Testing

@Model private final class Pin {
  var number: Int
  init(number: Int) { self.number = number }
}

/// One object a row, wherever in the range of keys the rows are.
@Suite struct IdentityTests {
  @Test func `rows near each other and far apart have one object each as long as somebody has it`() throws {
    let seed = SeededRandom.seed
    var random = SeededRandom(seed: seed)
    let container = try ModelContainer(for: Pin.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    // Keys at strides that put one, a few or all on a page of the map, and those that a hash may put together.
    var keys: Set<Int64> = []
    for stride: Int64 in [1, 3, 32, 1_000, 1 << 20, 1 << 37, 1 << 51] {
      let start = Int64(random.below(1_000_000)) + 1
      for step in 0..<Int64(300) { keys.insert(start + step * stride) }
    }
    for key in keys { try context.execute(sql: "INSERT INTO \(Pin.self) (_pk, number) VALUES (\(key), \(key))") }

    var held: [Int: Pin] = [:]
    for turn in 0..<60 {
      let low = random.pick(Array(keys))
      let (first, last) = (Int(low), Int(low.addingReportingOverflow(Int64(1) << random.below(56)).partialValue))
      let found = try context.fetch(
        FetchDescriptor<Pin>(predicate: #Predicate { $0.number >= first && $0.number < last }))
      #expect(found.count == keys.count { $0 >= first && $0 < last }, "seed \(seed), turn \(turn)")
      for pin in found {
        if let known = held[pin.number] { #expect(known === pin, "seed \(seed), turn \(turn), row \(pin.number)") }
        if random.once(in: 3) { held[pin.number] = pin } else if random.once(in: 3) { held[pin.number] = nil }
      }
      if random.once(in: 8) { held = held.filter { _ in random.once(in: 2) } }
    }
    context.forgetRecentModels()
    #expect(context.liveModelCount == held.count, "seed \(seed)")
    held = [:]
    #expect(context.liveModelCount == 0, "seed \(seed)")
  }
}
