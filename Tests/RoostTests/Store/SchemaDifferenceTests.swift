import Foundation
import Roost
import Testing

/// What a store says of a program whose models are not those it was made with.
@Suite struct SchemaDifferenceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The differences that opening a store of `first` with `second` to read it reports; none when it opens.
  private func differences(
    _ first: any PersistentModel.Type, _ second: any PersistentModel.Type
  ) throws -> [String] {
    let configuration = ModelConfiguration(url: folder.store)
    try ModelContainer(for: Schema([first]), configurations: [configuration]).close()
    do {
      let reading = ModelConfiguration(url: folder.store, allowsSave: false)
      try ModelContainer(for: Schema([second]), configurations: [reading]).close()
      return []
    } catch let error as SwiftDataError where error == .loadIssueModelContainer {
      return [error.message]
    }
  }

  @Test func `properties that change places leave the schema as it is`() throws {
    #expect(try differences(Ordered.Trip.self, Reordered.Trip.self) == [])
    let context = ModelContext(try ModelContainer(for: Ordered.Trip.self, configurations: .init(url: folder.store)))
    context.insert(Ordered.Trip(name: "Oslo", code: 1))
    try context.save()
    try context.container.close()
    let other = ModelContext(try ModelContainer(for: Reordered.Trip.self, configurations: .init(url: folder.store)))
    let trip = try #require(try other.fetch(FetchDescriptor<Reordered.Trip>()).first)
    #expect(trip.name == "Oslo")
    #expect(trip.code == 1)
  }

  @Test(arguments: Change.all) func `a value that means something else is a difference`(_ change: Change) throws {
    let text = try differences(change.first, change.second).first ?? "no difference"
    #expect(text.contains("Trip.value: was \(change.old), is \(change.new)"), "\(text)")
  }

  @Test func `a relationship that refers to the same models says what else is different`() throws {
    let text = try differences(Shelves.First.Book.self, Shelves.Owned.Book.self).first ?? "no difference"
    #expect(text.contains("Author.books: delete rule was nullify, is cascade"), "\(text)")
  }

  @Test func `another type with the same values is no difference`() throws {
    #expect(try differences(Raw.Trip.self, OtherRaw.Trip.self) == [])
    #expect(try differences(OtherRaw.Trip.self, Raw.Trip.self) == [])
  }

  @Test func `what is not stored is no part of the schema`() throws {
    #expect(try differences(Ordered.Trip.self, Tracked.Trip.self) == [])
    #expect(try differences(Tracked.Trip.self, Ordered.Trip.self) == [])
  }

  @Test func `integers of the same width are the same`() throws {
    #expect(try differences(Whole.Trip.self, Whole64.Trip.self) == [])
  }

  struct Change: Sendable, CustomTestStringConvertible {
    let first: any PersistentModel.Type
    let second: any PersistentModel.Type
    let old: String
    let new: String

    var testDescription: String { "\(old) to \(new)" }

    static let all: [Change] = [
      Change(first: Moment.Trip.self, second: Real.Trip.self, old: "Date", new: "Double"),
      Change(first: Real.Trip.self, second: Moment.Trip.self, old: "Double", new: "Date"),
      Change(first: Real.Trip.self, second: Short.Trip.self, old: "Double", new: "Float"),
      Change(first: Whole.Trip.self, second: Unsigned.Trip.self, old: "Int64", new: "UInt64"),
      Change(first: Whole.Trip.self, second: Byte.Trip.self, old: "Int64", new: "Int8"),
      Change(first: Whole.Trip.self, second: Flag.Trip.self, old: "Int64", new: "Bool"),
      Change(first: Whole.Trip.self, second: Raw.Trip.self, old: "Int64", new: "raw Int64"),
      Change(first: Whole.Trip.self, second: Maybe.Trip.self, old: "Int64", new: "optional Int64"),
      Change(first: Text.Trip.self, second: Amount.Trip.self, old: "String", new: "Decimal"),
      Change(first: Text.Trip.self, second: Words.Trip.self, old: "String", new: "JSON"),
      Change(first: Bytes.Trip.self, second: Identity.Trip.self, old: "Data", new: "UUID"),
      Change(first: Bytes.Trip.self, second: External.Trip.self, old: "Data", new: "external Data"),
    ]
  }
}

private enum Tracked {
  @Model final class Trip {
    @Attribute(.unique) var name: String
    @Attribute(.ephemeral) var isOpen = false
    @Attribute(.unique) var code: Int

    init(name: String, code: Int) { (self.name, self.code) = (name, code) }
  }
}

private enum Ordered {
  @Model final class Trip {
    @Attribute(.unique) var name: String
    @Attribute(.unique) var code: Int

    init(name: String, code: Int) { (self.name, self.code) = (name, code) }
  }
}

private enum Reordered {
  @Model final class Trip {
    @Attribute(.unique) var code: Int
    @Attribute(.unique) var name: String

    init(name: String, code: Int) { (self.name, self.code) = (name, code) }
  }
}

private enum Rank: Int, Codable { case low, high }
private enum Grade: Int, Codable { case low, high }

private enum Moment {
  @Model final class Trip {
    var value: Date

    init(value: Date) { self.value = value }
  }
}

private enum Real {
  @Model final class Trip {
    var value: Double

    init(value: Double) { self.value = value }
  }
}

private enum Short {
  @Model final class Trip {
    var value: Float

    init(value: Float) { self.value = value }
  }
}

private enum Whole {
  @Model final class Trip {
    var value: Int

    init(value: Int) { self.value = value }
  }
}

private enum Whole64 {
  @Model final class Trip {
    var value: Int64

    init(value: Int64) { self.value = value }
  }
}

private enum Unsigned {
  @Model final class Trip {
    var value: UInt

    init(value: UInt) { self.value = value }
  }
}

private enum Byte {
  @Model final class Trip {
    var value: Int8

    init(value: Int8) { self.value = value }
  }
}

private enum Flag {
  @Model final class Trip {
    var value: Bool

    init(value: Bool) { self.value = value }
  }
}

private enum Raw {
  @Model final class Trip {
    var value: Rank

    init(value: Rank) { self.value = value }
  }
}

private enum OtherRaw {
  @Model final class Trip {
    var value: Grade

    init(value: Grade) { self.value = value }
  }
}

private enum Maybe {
  @Model final class Trip {
    var value: Int?

    init(value: Int?) { self.value = value }
  }
}

private enum Text {
  @Model final class Trip {
    var value: String

    init(value: String) { self.value = value }
  }
}

private enum Amount {
  @Model final class Trip {
    var value: Decimal

    init(value: Decimal) { self.value = value }
  }
}

private enum Words {
  @Model final class Trip {
    var value: [String]

    init(value: [String]) { self.value = value }
  }
}

private enum Bytes {
  @Model final class Trip {
    var value: Data

    init(value: Data) { self.value = value }
  }
}

private enum External {
  @Model final class Trip {
    @Attribute(.externalStorage) var value: Data

    init(value: Data) { self.value = value }
  }
}

private enum Identity {
  @Model final class Trip {
    var value: UUID

    init(value: UUID) { self.value = value }
  }
}
