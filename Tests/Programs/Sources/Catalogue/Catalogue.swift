import Foundation
import SwiftData

/// Models of a library, for programs in other modules.
@Model public final class Album {
  @Attribute(.unique) public private(set) var title: String
  public var released: Date?
  @Relationship(deleteRule: .cascade, inverse: \Track.album) public var tracks: [Track] = []

  public init(title: String, released: Date? = nil) {
    self.title = title
    self.released = released
  }

  public var length: TimeInterval { tracks.reduce(0) { $0 + $1.seconds } }
}

@Model open class Track {
  public var name: String
  public var seconds: Double
  public var album: Album?

  public init(name: String, seconds: Double) {
    self.name = name
    self.seconds = seconds
  }
}

public protocol Catalogue: Sendable {
  func add(_ title: String, tracks: [String: Double]) async throws -> PersistentIdentifier
  func length(of album: PersistentIdentifier) async -> TimeInterval?
}

@ModelActor public actor StoredCatalogue: Catalogue {
  public static let models: [any PersistentModel.Type] = [Album.self, Track.self]

  public func add(_ title: String, tracks: [String: Double]) throws -> PersistentIdentifier {
    let album = Album(title: title)
    modelContext.insert(album)
    album.tracks = tracks.map { Track(name: $0.key, seconds: $0.value) }
    try modelContext.save()
    return album.persistentModelID
  }

  public func length(of album: PersistentIdentifier) -> TimeInterval? { self[album, as: Album.self]?.length }
}

extension Album {
  public static func titled(_ title: String) -> FetchDescriptor<Album> {
    FetchDescriptor(predicate: #Predicate { $0.title == title })
  }
}
