import Catalogue
import Foundation
import SwiftData
import Testing

/// Models that a library has, in a program that uses it.
@Suite struct CatalogueTests {
  @Test func `A library's models and actors work in another module`() async throws {
    let container = try ModelContainer(
      for: Schema(StoredCatalogue.models), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
    let catalogue: any Catalogue = StoredCatalogue(modelContainer: container)
    let identifier = try await catalogue.add("Blue", tracks: ["Carey": 180, "River": 240])
    #expect(await catalogue.length(of: identifier) == 420)

    let context = ModelContext(container)
    #expect(try context.fetch(Album.titled("Blue")).first?.tracks.count == 2)
    let long = #Predicate<Track> { $0.seconds > 200 && $0.album?.title == "Blue" }
    let track = try #require(try context.fetch(FetchDescriptor(predicate: long)).first)
    #expect(track.name == "River")
    track.album?.released = .distantPast
    #expect(track.album?.hasChanges == true)
    context.insert(Track(name: "Single", seconds: 99))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Track>()) == 3)
  }
}
