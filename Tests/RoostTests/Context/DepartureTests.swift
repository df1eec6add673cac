import Foundation
import Roost
import RoostTesting
import Synchronization
import Testing

/// How many of the models below are alive, by the test that made them.
private final class Census: Sendable {
  let count = Mutex(0)
}

@Model private final class Bird {
  @Transient var census: Census?
  var name: String
  @Relationship(inverse: \Bird.partnerOf) var partner: Bird?
  var partnerOf: Bird?
  var parent: Bird?
  @Relationship(deleteRule: .cascade, inverse: \Bird.parent) var children: [Bird] = []
  @Relationship(inverse: \Bird.seenBy) var sees: [Bird] = []
  var seenBy: [Bird] = []
  var last: Bird?
  var flock: [Bird] = []

  init(_ name: String, _ census: Census? = nil) {
    self.name = name
    self.census = census
    census?.count.withLock { $0 += 1 }
  }

  deinit { census?.count.withLock { $0 -= 1 } }
}

/// Relationships whose other side does not know of them.
@Model private final class Stone {
  @Transient var census: Census?
  var next: Stone?
  init(_ census: Census) {
    self.census = census
    census.count.withLock { $0 += 1 }
  }
  deinit { census?.count.withLock { $0 -= 1 } }
}

@Model private final class Heap {
  @Transient var census: Census?
  @Relationship(deleteRule: .cascade) var heaps: [Heap] = []
  init(_ census: Census) {
    self.census = census
    census.count.withLock { $0 += 1 }
  }
  deinit { census?.count.withLock { $0 -= 1 } }
}

/// Models that left their context together: what they show, and that they go.
@Suite struct DepartureTests {
  private func makeContext() throws -> ModelContext {
    ModelContext(try ModelContainer(for: Bird.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  /// Every way in which birds may refer to each other.
  enum Tie: String, CaseIterable { case pair, parent, children, many, selfLink, selfList, chain, circle, list, all }

  private func tie(_ birds: [Bird], _ kind: Tie) {
    let next = zip(birds, birds.dropFirst())
    switch kind {
    case .pair: for (one, other) in next where one.partnerOf == nil { one.partner = other }
    case .parent: for bird in birds.dropFirst() { bird.parent = birds[0] }
    case .children: birds[0].children = Array(birds.dropFirst())
    case .many: for bird in birds { bird.sees = birds.filter { $0 !== bird } }
    case .selfLink:
      for bird in birds { (bird.last, bird.parent) = (bird, bird) }
    case .selfList: for bird in birds { (bird.sees, bird.flock) = ([bird], [bird]) }
    case .chain: for (one, other) in next { one.last = other }
    case .circle: for (one, other) in zip(birds, birds.dropFirst() + birds.prefix(1)) { one.last = other }
    case .list: for bird in birds { bird.flock = birds }
    case .all: for kind in Tie.allCases where kind != .all { tie(birds, kind) }
    }
  }

  private func expectNone(_ census: Census, _ context: ModelContext) {
    context.forgetRecentModels()
    #expect(census.count.withLock { $0 } == 0)
    #expect(context.liveModelCount == 0)
  }

  @Test(arguments: Tie.allCases)
  func `nothing stays of models that a rollback took out`(_ kind: Tie) throws {
    for linksFirst in [true, false] {
      let (context, census) = (try makeContext(), Census())
      do {
        let birds = (0..<5).map { Bird("\($0)", census) }
        if linksFirst { tie(birds, kind) }
        birds.forEach { context.insert($0) }
        if !linksFirst { tie(birds, kind) }
        context.rollback()
      }
      expectNone(census, context)
    }
  }

  @Test(arguments: Tie.allCases)
  func `nothing stays of models that an undo took out, nor of a draft's`(_ kind: Tie) throws {
    let (context, census) = (try makeContext(), Census())
    do {
      let manager = UndoManager()
      context.undoManager = manager
      let birds = (0..<5).map { Bird("\($0)", census) }
      birds.forEach { context.insert($0) }
      tie(birds, kind)
      manager.undo()
      manager.removeAllActions()
      context.undoManager = nil
    }
    expectNone(census, context)
    do {
      let draft = ModelContext(draftOf: context)
      let birds = (0..<5).map { Bird("\($0)", census) }
      birds.forEach { draft.insert($0) }
      tie(birds, kind)
      draft.rollback()
    }
    expectNone(census, context)
  }

  @Test func `nothing stays of models whose relationships have no inverse`() throws {
    let context = ModelContext(
      try ModelContainer(
        for: Stone.self, Heap.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let census = Census()
    do {
      let (stones, heaps) = ((0..<4).map { _ in Stone(census) }, (0..<4).map { _ in Heap(census) })
      for place in 0..<4 {
        context.insert(stones[place])
        context.insert(heaps[place])
        (stones[place].next, heaps[place].heaps) = (stones[(place + 1) % 4], heaps)
      }
      context.rollback()
      #expect(stones[3].next === stones[0] && heaps[2].heaps == heaps)
    }
    expectNone(census, context)
  }

  @Test(arguments: Tie.allCases)
  func `models that are held show each other after a rollback, and come back together`(_ kind: Tie) throws {
    let context = try makeContext()
    let birds = (0..<5).map { Bird("\($0)") }
    birds.forEach { context.insert($0) }
    tie(birds, kind)
    func links() -> [[String?]] {
      birds.map { bird in
        [bird.partner?.name, bird.partnerOf?.name, bird.parent?.name, bird.last?.name] + bird.children.map(\.name)
          + bird.sees.map(\.name) + bird.seenBy.map(\.name).sorted() + bird.flock.map(\.name)
      }
    }
    let before = links()
    context.rollback()
    #expect(birds.allSatisfy { $0.modelContext == nil })
    #expect(links() == before)
    birds.forEach { context.insert($0) }
    #expect(links() == before)
    try context.save()
    #expect(links() == before)
  }

  @Test func `who was inserted keeps what came with it`() throws {
    let context = try makeContext()
    func makeParent() -> Bird {
      let parent = Bird("parent")
      parent.children = [Bird("a"), Bird("b")]
      parent.children[0].children = [Bird("c")]
      return parent
    }
    func makeChild() -> Bird {
      let child = Bird("child")
      child.parent = Bird("parent")
      return child
    }
    let (parent, child) = (makeParent(), makeChild())
    context.insert(parent)
    context.insert(child)
    context.rollback()
    #expect(parent.children.map(\.name) == ["a", "b"] && parent.children[0].children.map(\.name) == ["c"])
    #expect(child.parent?.name == "parent")
    context.insert(child)
    context.insert(parent)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Bird>()) == 6)
    #expect(child.parent?.children == [child] && parent.children[1].parent === parent)
  }

  @Test func `a row that a model referred to stays with it`() throws {
    let context = try makeContext()
    let stored = Bird("stored")
    context.insert(stored)
    try context.save()
    let new = Bird("new")
    new.last = stored
    new.parent = stored
    context.insert(new)
    context.rollback()
    #expect(new.last === stored && new.parent === stored && stored.children == [])
    context.insert(new)
    #expect(stored.children == [new])
  }

  @Test func `a model that is gone is referred to no more, and does no harm`() throws {
    let context = try makeContext()
    let younger = Bird("younger")
    do {
      let older = Bird("older")
      context.insert(older)
      context.insert(younger)
      (younger.parent, younger.partner, younger.sees) = (older, older, [older, younger])
      context.rollback()
      #expect(younger.parent === older && younger.sees == [older, younger])
    }
    #expect(younger.parent == nil && younger.partner == nil && younger.sees == [younger])
    // A new member is held, as anywhere outside of contexts.
    younger.sees.append(Bird("newest"))
    context.insert(younger)
    try context.save()
    #expect(younger.partner == nil && younger.sees.map(\.name) == ["younger", "newest"])
    #expect(try context.fetchCount(FetchDescriptor<Bird>()) == 2)
  }
}
