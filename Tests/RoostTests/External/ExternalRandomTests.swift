import Foundation
import Roost
import RoostCore
import RoostQuery
import Testing

/// Random edits against a dictionary; after each save exactly the files that rows name are there.
@Suite struct ExternalRandomTests {
  private struct Values: Equatable {
    var image: Data?
    var notes = ""
  }

  @Test func `random edits agree with a dictionary, and leave no file too many or too few`() throws {
    let seed = SeededRandom.seed
    print("ExternalRandomTests: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let gallery = try Gallery()
    var contexts = try (0..<2).map { _ in ModelContext(try gallery.open()) }
    var saved: [String: Values] = [:]
    for step in 0..<60 {
      let number = Int.random(in: 0..<2, using: &random)
      let context = contexts[number]
      var pending = saved
      for edit in 0..<Int.random(in: 0..<4, using: &random) {
        try change(&pending, in: context, title: "\(step).\(edit)", &random)
      }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: context.rollback()
      case 1:
        contexts[number] = ModelContext(try gallery.open())
      default:
        try context.save()
        saved = pending
      }
      #expect(try gallery.files() == gallery.named(), "seed \(seed), step \(step)")
      let reader = Bool.random(using: &random) ? contexts[1 - number] : ModelContext(contexts[number].container)
      var found: [String: Values] = [:]
      for photo in try reader.fetch(FetchDescriptor<Photo>()) {
        found[photo.title] = Values(image: photo.image, notes: photo.notes)
      }
      #expect(found == saved, "seed \(seed), step \(step)")
    }
  }

  private func change(
    _ values: inout [String: Values], in context: ModelContext, title: String, _ random: inout SeededRandom
  ) throws {
    let title = Bool.random(using: &random) ? values.keys.sorted().randomElement(using: &random) ?? title : title
    if values[title] == nil {
      let photo = Photo(title: title, image: image(&random))
      context.insert(photo)
      values[title] = Values(image: photo.image)
      return
    }
    let matching = FetchDescriptor<Photo>(predicate: #Predicate { $0.title == title })
    let photo = try #require(try context.fetch(matching).first)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      context.delete(photo)
      values[title] = nil
    case 1:
      let notes = String(repeating: "ß", count: Int.random(in: 490..<510, using: &random))
      photo.notes = notes
      values[title]?.notes = notes
    default:
      let image = image(&random)
      photo.image = image
      values[title]?.image = image
    }
  }

  private func image(_ random: inout SeededRandom) -> Data? {
    guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
    return bytes(Int.random(in: 900..<1_100, using: &random), UInt8.random(in: 0...255, using: &random))
  }
}
