import Foundation
import Roost
import TestSupport

// Rows that keep each other, alone or in circles, and rows that go in chains; and rows whose
// properties change their names.
extension SyncEdits {
  mutating func editBox<Box: AnyBox, Seal: PersistentModel>(_ type: Box.Type, _ context: ModelContext) throws
  where Box.Seal == Seal {
    let boxes = try context.fetch(FetchDescriptor<Box>()).sorted { $0.name < $1.name }
    let seals = try context.fetch(FetchDescriptor<Seal>(sortBy: [SortDescriptor(\.persistentModelID)]))
    guard let box = boxes.randomElement(using: &random), let other = boxes.randomElement(using: &random) else {
      return context.insert(Box("x\(next())"))
    }
    switch way(.box, of: 12) {
    case 0: context.insert(Box("x\(next())"))
    case 1: box.within = other
    case 2: box.within = nil
    case 3: box.below = other
    case 4: box.below = nil
    case 5:
      // A circle, or a chain whose end may be in it.
      let more = (0...random.below(4)).map { _ in Box("x\(next())") }
      let isChain = random.once(in: 2)
      context.insert(contentsOf: more)
      for (upper, lower) in zip(more, more.dropFirst() + [random.once(in: 2) ? more[0] : box]) {
        if isChain { upper.below = lower } else { upper.within = lower }
      }
    case 6:
      boxesDeleted += 1
      context.delete(box)
    case 7, 8: deleteAll(of: box, context)
    case 9: if let seal = seals.randomElement(using: &random), !box.seals.contains(seal) { box.seals.append(seal) }
    case 10: if !box.seals.isEmpty { box.seals.removeLast() }
    default: if box.contents.count > 1 { box.contents.insert(box.contents.removeLast(), at: 0) }
    }
  }

  /// Deletes a box, and all that is in it, so that nothing keeps it.
  private mutating func deleteAll<Box: AnyBox>(of box: Box, _ context: ModelContext) {
    var (all, rest) = (Set<PersistentIdentifier>(), [box])
    while let next = rest.popLast() {
      guard all.insert(next.persistentModelID).inserted else { continue }
      rest += next.contents
      next.seals = []
      boxesDeleted += 1
      context.delete(next)
    }
  }

  mutating func editNote<Note: AnyNote>(_ type: Note.Type, _ context: ModelContext) throws {
    let notes = try context.fetch(FetchDescriptor<Note>()).sorted { ($0.name, $0.number) < ($1.name, $1.number) }
    guard let note = notes.randomElement(using: &random) else { return context.insert(anyNote() as Note) }
    switch way(.note, of: 6) {
    case 0: context.insert(anyNote() as Note)
    case 1: context.delete(note)
    case 2: note.name = noteName()
    case 3: note.number = random.below(3)
    case 4: note.other = random.once(in: 3) ? nil : "y\(next())"
    default: note.count += 1 + random.below(3)
    }
  }

  mutating func editCard<Card: AnyCard>(_ type: Card.Type, _ context: ModelContext) throws {
    let cards = try context.fetch(FetchDescriptor<Card>()).sorted { $0.name < $1.name }.prefix(mostRows)
    guard let card = cards.randomElement(using: &random) else { return context.insert(Card("i\(next())")) }
    switch random.below(6) {
    case 0: context.insert(Card("i\(next())"))
    case 1: if random.once(in: 3) { context.delete(card) }
    case 2, 3: card.text = random.once(in: 5) ? nil : "d\(next())"
    default: card.visits += 1 + random.below(5)
    }
  }

  private mutating func anyNote<Note: AnyNote>() -> Note { Note(noteName(), random.below(3)) }

  /// One that another note may have, but of another number.
  mutating func noteName() -> String { "z\(passesNamesOn ? random.below(4) : next())" }
}
