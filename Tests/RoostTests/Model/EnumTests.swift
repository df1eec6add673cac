import Foundation
import Roost
import RoostCore
import Testing

private enum Shape: Codable, Equatable {
  case circle(radius: Double)
  case named(String, Int?)
  case none
}

/// Neither lists its cases nor is ordered as its raw values.
private enum Size: String, Codable, Comparable {
  case small = "s"
  case medium = "m"
  case large = "l"

  static func < (left: Size, right: Size) -> Bool { left != right && (left == .small || right == .large) }
}

private enum Pace: Codable { case slow, fast }

/// Two cases with payloads, in one byte.
private enum Turn: RawRepresentable, Codable, Equatable {
  case left(Pace)
  case right(Pace)

  init?(rawValue: Int) {
    switch rawValue {
    case 0: self = .left(.slow)
    case 1: self = .left(.fast)
    case 2: self = .right(.slow)
    case 3: self = .right(.fast)
    default: return nil
    }
  }

  var rawValue: Int {
    switch self {
    case .left(.slow): 0
    case .left(.fast): 1
    case .right(.slow): 2
    case .right(.fast): 3
    }
  }

  var name: String { "\(self)" }
}

/// Its cases come from elsewhere, where there are none yet.
private struct Surface: Codable, CaseIterable, Equatable {
  static var allCases: [Surface] { [] }
  var name: String
}

@Model private final class Road {
  var turn: Turn
  var surface = Surface(name: "gravel")
  init(_ turn: Turn) { self.turn = turn }
}

@Model private final class Figure {
  var name: String
  var shape: Shape
  var other: Shape?
  var size: Size
  var maybeSize: Size?

  init(_ name: String, _ shape: Shape, other: Shape? = nil, size: Size = .small, maybeSize: Size? = nil) {
    (self.name, self.shape, self.other, self.size, self.maybeSize) = (name, shape, other, size, maybeSize)
  }
}

/// Enums as attributes, with payloads and with raw values.
@Suite struct EnumTests {
  private let context: ModelContext

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    let container = try ModelContainer(for: Figure.self, configurations: configuration)
    let writer = ModelContext(container)
    writer.insert(Figure("a", .circle(radius: 0.1), size: .medium, maybeSize: .large))
    writer.insert(Figure("b", .named("e\u{301}", nil), other: Shape.none, size: .large))
    writer.insert(Figure("c", .none, other: .circle(radius: -0.0), size: .small, maybeSize: .small))
    writer.insert(Figure("d", .named("x", 3), other: .named("x", 4), size: .large, maybeSize: .medium))
    try writer.save()
    context = ModelContext(container)
  }

  /// The names of those that a predicate selects, when they are those that it evaluates to true for.
  private func names(_ predicate: Predicate<Figure>) throws -> String {
    let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)]))
    let all = try context.fetch(FetchDescriptor<Figure>(sortBy: [SortDescriptor(\.name)]))
    #expect(try all.filter { try predicate.evaluate($0) } == found)
    return found.map(\.name).joined()
  }

  @Test func `cases with payloads compare as Swift compares them`() throws {
    let (circle, named, none) = (Shape.circle(radius: 0.1), Shape.named("é", nil), Shape.none)
    #expect(try names(#Predicate { $0.shape == circle }) == "a")
    #expect(try names(#Predicate { $0.shape != circle }) == "bcd")
    #expect(try names(#Predicate { $0.shape == named }) == "b")
    #expect(try names(#Predicate { $0.shape == none }) == "c")
    #expect(try names(#Predicate { $0.other == nil }) == "a")
    #expect(try names(#Predicate { $0.other != nil }) == "bcd")
    #expect(try names(#Predicate { $0.other == none }) == "b")
    #expect(try names(#Predicate { $0.other != none }) == "acd")
    let zero = Shape.circle(radius: 0)
    #expect(try names(#Predicate { [zero, none].contains($0.shape) }) == "c")
    #expect(try names(#Predicate { $0.other == zero }) == "c")
    #expect(try names(#Predicate { $0.shape == $0.other ?? zero }) == "")
  }

  @Test func `no value is made up for an enum whose cases have payloads`() throws {
    #expect(Placeholder.enumCases(Pace.self)?.map { "\($0)" } == ["slow", "fast"])
    #expect(Placeholder.enumCases(Turn.self) == nil)
    let container = try ModelContainer(for: Road.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Road(.right(.fast)))
    try context.save()
    // SQL knows what the cases are named where the program lists them.
    let named = #Predicate<Road> { $0.turn.name == "right(fast)" }
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(FetchDescriptor(predicate: named)) }
    let right = Turn.right(.fast)
    #expect(try context.fetchCount(FetchDescriptor<Road>(predicate: #Predicate { $0.turn == right })) == 1)
  }

  @Test func `a type whose list of cases is empty is stored as any other`() throws {
    let container = try ModelContainer(for: Road.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Road(.left(.slow)))
    try context.save()
    let roads = try ModelContext(container).fetch(
      FetchDescriptor<Road>(predicate: #Predicate { $0.surface.name == "gravel" }))
    #expect(roads.map(\.surface) == [Surface(name: "gravel")])
  }

  @Test func `raw values are found, listed and sorted`() throws {
    let (medium, large) = (Size.medium, Size.large)
    #expect(try names(#Predicate { $0.size == large }) == "bd")
    #expect(try names(#Predicate { [medium, large].contains($0.size) }) == "abd")
    #expect(try names(#Predicate { $0.maybeSize == large }) == "a")
    #expect(try names(#Predicate { $0.maybeSize != large }) == "bcd")
    #expect(try names(#Predicate { $0.size > medium }) == "bd")
    #expect(try names(#Predicate { $0.size.rawValue == "m" }) == "a")
    let sorted = try context.fetch(FetchDescriptor<Figure>(sortBy: [SortDescriptor(\.size), SortDescriptor(\.name)]))
    #expect(sorted.map(\.name) == ["c", "a", "b", "d"])
    let optional = try context.fetch(FetchDescriptor<Figure>(sortBy: [SortDescriptor(\.maybeSize, order: .reverse)]))
    #expect(optional.map(\.name) == ["a", "d", "c", "b"])
  }
}
