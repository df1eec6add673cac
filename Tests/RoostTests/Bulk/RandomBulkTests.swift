import Foundation
import Roost
import Testing

/// Random updates in bulk beside loops over the models of another container.
@Suite struct RandomBulkTests {
  @Test func `an update leaves the same rows and models as a loop over the models`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    let (bulk, loop) = (try Side(), try Side())
    for side in [bulk, loop] { try side.fill() }
    for step in 0..<150 {
      try random.repeated { random in
        try bulk.edit(&random)
      } and: { random in
        try loop.edit(&random)
      }
      let (condition, changes) = (
        random.pick(conditions), Set((0..<3).map { _ in random.below(updates.count) }).map { updates[$0] }
      )
      let distinct = Dictionary(changes.map { ($0.property, $0) }, uniquingKeysWith: { first, _ in first })
      let chosen = distinct.values.sorted { $0.property < $1.property }
      let models = try loop.context.fetch(FetchDescriptor(predicate: condition))
      // Each reads the row as it was.
      let edits = models.map { model in chosen.map { $0.prepare(model, loop) } }
      for edit in edits.joined() { edit() }
      let assignments = try chosen.map { try $0.assignment(bulk) }
      let count =
        switch assignments.count {
        case 1: try bulk.context.update(model: Gauge.self, where: condition, set: assignments[0])
        case 2: try bulk.context.update(model: Gauge.self, where: condition, set: assignments[0], assignments[1])
        default:
          try bulk.context.update(
            model: Gauge.self, where: condition, set: assignments[0], assignments[1], assignments[2])
        }
      let comment: Comment = "seed \(seed), step \(step), \(chosen.map(\.property))"
      #expect(count == models.count, comment)
      #expect(bulk.live() == loop.live(), comment)
      #expect(try bulk.fetched(bulk.context) == loop.fetched(loop.context), comment)
      if random.once(in: 4) {
        try bulk.context.save()
        try loop.context.save()
        #expect(
          try bulk.fetched(ModelContext(bulk.context.container)) == loop.fetched(ModelContext(loop.context.container)),
          comment)
      }
    }
  }
}

extension SeededRandom {
  /// Runs two bodies with the same numbers.
  fileprivate mutating func repeated(
    _ first: (inout SeededRandom) throws -> Void, and second: (inout SeededRandom) throws -> Void
  ) rethrows {
    var copy = self
    try first(&copy)
    try second(&self)
  }
}

/// One container, with some of its models held.
private final class Side {
  let context: ModelContext
  private var held: [Gauge] = []
  private(set) var rooms: [Room] = []

  init() throws { context = try makeGauges() }

  func fill() throws {
    rooms = (0..<3).map { Room(name: "room \($0)", bonus: $0) }
    rooms.forEach(context.insert)
    for number in 0..<20 {
      let gauge = Gauge(String(format: "%03d", number), count: number)
      gauge.limit = number % 3 == 0 ? nil : number
      gauge.room = number % 4 == 3 ? nil : rooms[number % 4]
      context.insert(gauge)
    }
    try context.save()
    held = Array(try context.gauges().prefix(12))
  }

  /// Changes some models without saving.
  func edit(_ random: inout SeededRandom) throws {
    for _ in 0..<random.below(3) {
      let gauges = try context.gauges()
      let gauge = random.pick(gauges)
      switch random.below(6) {
      case 0: gauge.count = random.below(30)
      case 1: gauge.limit = random.once(in: 2) ? nil : random.below(30)
      case 2: gauge.room = random.once(in: 3) ? nil : random.pick(rooms)
      case 3: random.pick(rooms).bonus = random.below(9)
      case 4:
        let new = Gauge(String(format: "%03d", random.below(1_000)), count: random.below(30))
        new.room = random.pick(rooms)
        context.insert(new)
        if random.once(in: 2) { held.append(new) }
      default: if gauges.count > 10 { context.delete(gauge) }
      }
    }
  }

  func live() -> [String] { held.filter { !$0.isDeleted }.map(describe) }

  func fetched(_ context: ModelContext) throws -> [String] {
    let gauges = try context.gauges().map(describe)
    let rooms = try context.fetch(FetchDescriptor<Room>(sortBy: [SortDescriptor(\.name)]))
    return gauges.sorted() + rooms.map { "\($0.name) \($0.bonus) \($0.gauges.map(\.name).sorted())" }
  }

  private func describe(_ gauge: Gauge) -> String {
    """
    \(gauge.name) \(gauge.count) \(gauge.small) \(gauge.big) \(gauge.level) \(gauge.ratio) \(gauge.price) \
    \(gauge.limit ?? -1) \(gauge.isOn) \(gauge.color) \(gauge.date?.timeIntervalSinceReferenceDate ?? -1) \
    \(gauge.note ?? "nil") \(gauge.place) \(gauge.room?.name ?? "nil")
    """
  }
}

/// An assignment, and the same for a model: what it reads is read when it is prepared.
private struct Update {
  let property: String
  let assignment: (Side) throws -> Assignment<Gauge>
  let prepare: (Gauge, Side) -> () -> Void

  init<Value>(
    _ keyPath: ReferenceWritableKeyPath<Gauge, Value>, _ assignment: Assignment<Gauge>,
    _ value: @escaping (Gauge) -> Value
  ) {
    property = "\(keyPath)"
    self.assignment = { _ in assignment }
    prepare = { gauge, _ in
      let value = value(gauge)
      return { gauge[keyPath: keyPath] = value }
    }
  }

  /// Sets the room to one of a side's.
  init(room: Int?) {
    property = "\(\Gauge.room)"
    assignment = { side in .set(\.room, to: room.map { side.rooms[$0] }) }
    prepare = { gauge, side in { gauge.room = room.map { side.rooms[$0] } } }
  }
}

private var updates: [Update] {
  [
    Update(\.count, \.count += 1) { $0.count + 1 },
    Update(\.count, .set(\.count, to: #Expression { $0.limit ?? 3 })) { $0.limit ?? 3 },
    Update(\.count, .set(\.count, to: #Expression { $0.room?.bonus ?? -1 })) { $0.room?.bonus ?? -1 },
    Update(\.small, .set(\.small, to: 5)) { _ in 5 },
    Update(\.big, \.big += 3) { $0.big + 3 },
    Update(\.level, .set(\.level, to: #Expression { $0.level / 2 + 1 })) { $0.level / 2 + 1 },
    Update(\.ratio, \.ratio += 0.25) { $0.ratio + 0.25 },
    Update(\.price, \.price += 1) { $0.price + 1 },
    Update(\.limit, \.limit += 1) { $0.limit.map { $0 + 1 } },
    Update(\.limit, .set(\.limit, to: \.count)) { $0.count },
    Update(\.isOn, .set(\.isOn, to: #Expression { $0.count > 10 })) { $0.count > 10 },
    Update(\.color, .set(\.color, to: .green)) { _ in .green },
    Update(\.date, .set(\.date, to: Date(timeIntervalSinceReferenceDate: 5))) { _ in
      Date(timeIntervalSinceReferenceDate: 5)
    },
    Update(\.note, .set(\.note, to: \.room?.name)) { $0.room?.name },
    Update(\.note, .set(\.note, to: #Expression { $0.name + "x" })) { $0.name + "x" },
    Update(\.place, .set(\.place, to: Locus(city: "Bonn", floor: 1))) { _ in Locus(city: "Bonn", floor: 1) },
    Update(room: nil), Update(room: 0), Update(room: 2),
  ]
}

private let conditions: [Predicate<Gauge>] = [
  #Predicate { _ in true }, #Predicate { $0.count > 8 }, #Predicate { $0.limit == nil },
  #Predicate { $0.room?.name == "room 1" }, #Predicate { $0.room == nil }, #Predicate { $0.isOn && $0.count < 20 },
  #Predicate { ($0.room?.gauges.count ?? 0) > 4 }, #Predicate { $0.limit ?? 0 > 6 },
]
