import Foundation
import Roost
import Testing

@ModelActor actor Drawer {
  func add(_ name: String) throws {
    let drawing = Drawing(name: name)
    modelContext.insert(drawing)
    try modelContext.save()
  }

  /// Reads what the main actor wrote and writes it again, each value by its own coding.
  func copy(_ identifier: PersistentIdentifier, as name: String) throws -> ModelSnapshot<Drawing> {
    let drawing = try #require(self[identifier, as: Drawing.self])
    var snapshot = drawing.snapshot()
    snapshot.name = name
    let data = try JSONEncoder().encode(snapshot)
    try modelContext.insert(JSONDecoder().decode(ModelSnapshot<Drawing>.self, from: data))
    try modelContext.save()
    return snapshot
  }

  func names(of predicate: Predicate<Drawing>) throws -> [String] {
    try modelContext.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
  }
}

/// Attributes whose types belong to the main actor, because all code here does, are read and written everywhere.
@Suite struct ShapeTests {
  private nonisolated static func makeContainer() throws -> ModelContainer {
    try ModelContainer(for: Drawing.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  private func insert(_ name: String, into context: ModelContext) throws -> Drawing {
    let drawing = Drawing(name: name, spot: Spot(name: "there", point: Point(x: 1.5, y: -2)))
    drawing.other = Spot(name: "elsewhere")
    drawing.shape = .circle(2)
    drawing.last = .path([Point(x: 0, y: 1)], on: Spot(name: "path"))
    drawing.shapes = [.dot, .circle(1)]
    drawing.byName = ["a": Spot(name: "A")]
    drawing.perhaps = [Spot(name: "B")]
    drawing.grade = .bad
    drawing.grades = [.bad, .good]
    drawing.measure = Measure(7)
    drawing.chart = Chart.Data(points: [1, 2])
    drawing.opaque = Spot(name: "opaque")
    drawing.large = (0..<20_000).map { Point(x: Double($0), y: 0) }
    context.insert(drawing)
    try context.save()
    return drawing
  }

  private func check(_ drawing: Drawing) {
    #expect(drawing.spot.name == "there" && drawing.spot.point.x == 1.5 && drawing.spot.point.y == -2)
    #expect(drawing.other?.name == "elsewhere")
    if case .circle(2) = drawing.shape {} else { Issue.record("\(drawing.shape)") }
    if case .path(let points, let spot) = drawing.last {
      #expect(points.map(\.y) == [1] && spot?.name == "path")
    } else {
      Issue.record("\(String(describing: drawing.last))")
    }
    #expect(drawing.shapes.count == 2 && drawing.byName["a"]?.name == "A")
    #expect(drawing.perhaps?.map(\.name) == ["B"])
    #expect(drawing.grade == .bad && drawing.grades == [.bad, .good])
    #expect(drawing.measure?.value == 7 && drawing.chart?.points == [1, 2])
    #expect(drawing.opaque?.name == "opaque" && drawing.large?.count == 20_000)
  }

  @Test func `the main actor reads what it wrote`() throws {
    let container = try Self.makeContainer()
    _ = try insert("A", into: container.mainContext)
    check(try #require(try ModelContext(container).fetch(FetchDescriptor<Drawing>()).first))
  }

  @Test func `an actor reads and writes the same values, and encodes snapshots of them`() async throws {
    let container = try Self.makeContainer()
    let drawing = try insert("A", into: container.mainContext)
    let drawer = Drawer(modelContainer: container)
    let snapshot = try await drawer.copy(drawing.persistentModelID, as: "B")
    #expect(snapshot.spot.name == "there")
    let copies = try ModelContext(container).fetch(FetchDescriptor<Drawing>(sortBy: [SortDescriptor(\.name)]))
    #expect(copies.map(\.name) == ["A", "B"])
    for copy in copies { check(copy) }
  }

  @Test func `a store that is made, filled and asked off the main actor has it all`() async throws {
    // Where this process looks at the types of `Sketch` for the first time, and no cast finds what they conform to.
    let names = try await Task.detached {
      let container = try ModelContainer(
        for: Sketch.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      let context = ModelContext(container)
      for name in ["A", "B"] {
        let sketch = Sketch(name: name)
        context.insert(sketch)
      }
      try context.save()
      let other = ModelContext(container)
      let predicate = #Predicate<Sketch> { (sketch: Sketch) in sketch.frame.corner.label == "corner" }
      let found = try other.fetch(FetchDescriptor<Sketch>(predicate: predicate))
      return found.map(\.name).sorted()
    }.value
    #expect(names == ["A", "B"])
  }

  @Test func `predicates look into values off the main actor as on it`() async throws {
    let container = try Self.makeContainer()
    let drawing = try insert("A", into: container.mainContext)
    let drawer = Drawer(modelContainer: container)
    try await drawer.add("B")
    let there = #Predicate<Drawing> { (drawing: Drawing) in drawing.spot.name == "there" }
    let deep = #Predicate<Drawing> { (drawing: Drawing) in drawing.spot.point.x < 1 }
    let other = #Predicate<Drawing> { (drawing: Drawing) in drawing.other?.name == "elsewhere" }
    for (predicate, expected) in [(there, "A"), (deep, "B"), (other, "A")] {
      #expect(try await drawer.names(of: predicate) == [expected])
      let found = try container.mainContext.fetch(FetchDescriptor<Drawing>(predicate: predicate))
      #expect(found.map(\.name) == [expected])
    }
    #expect(drawing.name == "A")
  }
}

struct Frame: Codable {
  var corner = Corner()
}

struct Corner: Codable {
  var label = "corner"
}

@Model final class Sketch {
  var name: String
  var frame = Frame()
  var frames: [Frame] = [Frame()]

  init(name: String) { self.name = name }
}
