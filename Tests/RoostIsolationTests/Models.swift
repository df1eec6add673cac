public import Foundation
public import Roost

// Everything in this module is the main actor's unless it says otherwise, and every warning is an error: what the
// macros write must compile here as it does elsewhere.

enum Mood: String, Codable, CaseIterable { case calm, loud }

/// Belongs to no actor, as it says. The types of `Shapes.swift` do not say so.
nonisolated struct Place: Codable, Hashable {
  var name: String
  var lines: [String] = []
}

@Model public final class Shelf {
  #Unique<Shelf>([\.name, \.made])
  #Index<Shelf>([\.made], [\.name, \.secret])

  @Attribute(.unique) public var name: String
  public private(set) var made = Date(timeIntervalSinceReferenceDate: 0)
  private var secret = "hidden"
  @Relationship(deleteRule: .cascade, inverse: \Volume.shelf) public var volumes: [Volume] = []
  @Transient public var cache: [String] = []

  public init(name: String) { self.name = name }

  var shout: String { name.uppercased() + secret }

  func open() { cache.append(name) }
}

@Model public final class Volume {
  public var title: String
  public var shelf: Shelf?
  var mood = Mood.calm
  var other: Mood?
  var place: Place?
  var words: Set<String> = []
  @Attribute(.ephemeral) var progress = 0.5
  @Attribute(originalName: "number") var count: Int = 0

  public init(title: String, shelf: Shelf? = nil) {
    self.title = title
    self.shelf = shelf
  }
}

extension Volume {
  convenience init(on shelf: Shelf) { self.init(title: "untitled", shelf: shelf) }
}

enum Furniture {
  @Model final class Table: CustomStringConvertible {
    var id = UUID()
    var legs = 4
    var leaf: Leaf?

    init() {}

    nonisolated var description: String { "a table" }

    @Model final class Leaf {
      var width = 1.5
      init() {}
    }
  }
}

@Model private final class Hidden {
  fileprivate var a = 0
  private var b: [Hidden] = []
  init() {}
}

@Model nonisolated final class Plain {
  var a = 0
  init() {}
}

@Model class Base {
  var a = 0
  init() {}
}

@Model class Derived: Base {
  var b = 1
  override init() { super.init() }
}
