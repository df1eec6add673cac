import Foundation
import SwiftData
import Testing

@Model final class Parcel {
  var label: String
  init(label: String) { self.label = label }
}

/// As libraries look into identifiers, which have no other public parts.
private struct EncodedIdentifier: Codable {
  struct Implementation: Codable {
    var primaryKey: String
    var uriRepresentation: URL
    var isTemporary: Bool
    var storeIdentifier: String?
    var entityName: String
  }

  var implementation: Implementation
}

@Suite struct IdentifierPartsTests {
  @Test func `an identifier's parts are read, and make it again`() throws {
    let context = ModelContext(
      try ModelContainer(for: Parcel.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let parcel = Parcel(label: "a")
    context.insert(parcel)
    #expect(try parts(of: parcel.persistentModelID).isTemporary)
    try context.save()
    let parts = try parts(of: parcel.persistentModelID)
    #expect(!parts.isTemporary && parts.entityName == "Parcel" && parts.primaryKey == "p1")
    #expect(parts.storeIdentifier == parcel.persistentModelID.storeIdentifier)
    #expect(parts.uriRepresentation.scheme == "x-coredata" && parts.uriRepresentation.path == "/Parcel/p1")
    let data = try JSONEncoder().encode(EncodedIdentifier(implementation: parts))
    let identifier = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
    #expect((ModelContext(context.container).model(for: identifier) as? Parcel)?.label == "a")
  }

  private func parts(of identifier: PersistentIdentifier) throws -> EncodedIdentifier.Implementation {
    try JSONDecoder().decode(EncodedIdentifier.self, from: JSONEncoder().encode(identifier)).implementation
  }
}
