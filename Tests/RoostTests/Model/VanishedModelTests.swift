import Foundation
import Roost
import Testing

private struct Address: Codable, Equatable {
  enum Kind: String, Codable { case home, work }
  var street: String
  var kind: Kind
  var since: Date
  var lines: [String: [Int]]
  var note: String?
  var shape: Shape
}

private indirect enum Shape: Codable, Equatable {
  case circle(radius: Double, name: String)
  case group([Shape])
}

/// Refuses empty text.
private struct Release: Codable, Equatable {
  var text: String
  init(_ text: String) { self.text = text }
  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
    if text.isEmpty {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no release"))
    }
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// Takes what no example can know.
private struct Code: Codable {
  var text: String
  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
    if text.count != 42 { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no code")) }
  }
}

@Model private final class Parcel {
  var code: Code
  init(code: Code) { self.code = code }
}

@Model private final class Customer {
  var address: Address
  var shape: Shape
  var release: Release

  init(address: Address, shape: Shape, release: Release) {
    self.address = address
    self.shape = shape
    self.release = release
  }
}

/// Models whose rows another context deleted before they were read.
@Suite struct VanishedModelTests {
  @Test func `values without a default read as empty ones, whatever their type`() throws {
    let container = try ModelContainer(
      for: Customer.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let empty = Address(
      street: "", kind: .home, since: Date(timeIntervalSinceReferenceDate: 0), lines: [:], note: nil,
      shape: .circle(radius: 0, name: ""))
    let full = Address(
      street: "Main", kind: .work, since: .now, lines: ["a": [1]], note: "x", shape: .group([empty.shape]))
    let customers = ["1.0", "2.0"].map { Customer(address: full, shape: .group([]), release: Release($0)) }
    customers.forEach { context.insert($0) }
    try context.save()
    let identifier = customers[0].persistentModelID
    let other = ModelContext(container)
    let unread = try #require(other.model(for: identifier) as? Customer)
    context.delete(customers[0])
    try context.save()
    #expect(unread.address == empty)
    #expect(unread.shape == empty.shape)
    // It refuses to be empty.
    #expect(unread.release == Release("1"))
    #expect(unread.isDeleted)
  }

  @Test func `a required property whose type takes no example needs a default`() throws {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Parcel.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    #expect(error == .invalidSchema)
    #expect(error?.model == "Parcel" && error?.property == "code")
    #expect(error?.remedy?.contains("default value") ?? false)
  }

  @Test func `a value that cannot be read throws where the reader can catch it`() throws {
    let context = try makeLibrary()
    let author = Author(name: "Lack")
    context.insert(author)
    try context.save()
    #expect(try author.readValue(forKey: \.name) == "Lack")
    #expect(try Author(name: "in no context").readValue(forKey: \.name) == "in no context")
    let other = ModelContext(context.container)
    let unread = try #require(other.model(for: author.persistentModelID) as? Author)
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try unread.readValue(forKey: \.hasChanges) }
    context.delete(author)
    try context.save()
    let error = #expect(throws: SwiftDataError.rowNotFound) { try unread.readValue(forKey: \.name) }
    #expect(error?.model == "Author" && error?.property == "name" && error?.row == unread.persistentModelID)
    #expect(unread.name == "")
    let unsaved = try #require(other.model(for: unread.persistentModelID) as? Author)
    try context.container.close()
    #expect(throws: SwiftDataError.self) { try unsaved.readValue(forKey: \.books) }
  }
}
