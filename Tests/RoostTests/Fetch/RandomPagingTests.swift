import Foundation
import Roost
import Testing

/// Pages of random sizes, in random orders, while changes are pending.
@Suite struct RandomPagingTests {
  private let sorts: [(SortOrder) -> SortDescriptor<Event>] = [
    { SortDescriptor(\.day, order: $0) }, { SortDescriptor(\.rank, order: $0) },
    { SortDescriptor(\.date, order: $0) }, { SortDescriptor(\.stars, order: $0) },
    { SortDescriptor(\.title, order: $0) }, { SortDescriptor(\.subtitle, order: $0) },
    { SortDescriptor(\.title, comparator: .localizedStandard, order: $0) },
    { SortDescriptor(\.subtitle, comparator: .localized, order: $0) },
    { SortDescriptor(\.price, order: $0) }, { SortDescriptor(\.big, order: $0) },
    { SortDescriptor(\.maybeBig, order: $0) }, { SortDescriptor(\.isFull, order: $0) },
    { SortDescriptor(\.isOld, order: $0) }, { SortDescriptor(\.weight, order: $0) },
    { SortDescriptor(\.bench.row, order: $0) }, { SortDescriptor(\.bench.letter, order: $0) },
    { SortDescriptor(\.maybeBench?.row, order: $0) }, { SortDescriptor(\.venue?.name, order: $0) },
    { SortDescriptor(\.venue?.city, order: $0) }, { SortDescriptor(\.other?.seats, order: $0) },
    { SortDescriptor(\.persistentModelID, order: $0) },
    { SortDescriptor(\.venue?.events, .count, order: $0) },
    { SortDescriptor(\.venue?.events, .max(\.price), order: $0) },
  ]

  @Test func `pages walked one after the other are the whole fetch`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed) pages")
    var random = SeededRandom(seed: seed)
    for round in 0..<12 {
      let context = try makeEvents()
      let venues = (0..<3).map { _ in Venue(&random) }
      venues.forEach(context.insert)
      var events = (0..<30).map { _ in Event(&random) }
      for event in events {
        context.insert(event)
        event.venue = random.once(in: 3) ? nil : random.pick(venues)
        event.other = random.once(in: 3) ? nil : random.pick(venues)
      }
      try context.save()
      for step in 0..<20 {
        for _ in 0..<random.below(3) { edit(&events, venues, context, &random) }
        if random.once(in: 5) { try context.save() }
        let reader = random.once(in: 5) ? ModelContext(draftOf: context) : context
        try expectPages(of: descriptor(&random), reader, &random, "seed \(seed), round \(round), step \(step)")
      }
    }
  }

  private func edit(
    _ events: inout [Event], _ venues: [Venue], _ context: ModelContext, _ random: inout SeededRandom
  ) {
    switch random.below(4) {
    case 0:
      let event = Event(&random)
      event.venue = random.pick(venues)
      context.insert(event)
      events.append(event)
    case 1 where events.count > 20: context.delete(events.remove(at: random.below(events.count)))
    case 2: random.pick(venues).name = random.pick(["a", "b", "c"])
    default: random.pick(events).change(&random)
    }
  }

  private func descriptor(_ random: inout SeededRandom) -> FetchDescriptor<Event> {
    var descriptor = FetchDescriptor<Event>()
    if random.once(in: 3) { descriptor.predicate = #Predicate { $0.day < 3 && $0.venue?.seats != 1 } }
    for _ in 0...random.below(3) { descriptor.sortBy.append(random.pick(sorts)(random.pick([.forward, .reverse]))) }
    descriptor.includePendingChanges = !random.once(in: 5)
    return descriptor
  }

  private func expectPages(
    of descriptor: FetchDescriptor<Event>, _ context: ModelContext, _ random: inout SeededRandom, _ comment: Comment
  ) throws {
    let all = try context.fetchIdentifiers(descriptor)
    var (pages, page) = ([PersistentIdentifier](), descriptor)
    while pages.count <= all.count {
      page.fetchLimit = 1 + random.below(7)
      let next =
        random.once(in: 2) ? try context.fetchIdentifiers(page) : try context.fetch(page).map(\.persistentModelID)
      guard let last = next.last else { break }
      pages += next
      page.fetchAfter = last
      #expect(try context.fetchCount(page) == min(page.fetchLimit ?? 0, all.count - pages.count), comment)
    }
    #expect(pages == all, "\(comment), sorted by \(descriptor.sortBy)")
  }
}
