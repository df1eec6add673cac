import Foundation
import SwiftData
import Testing

@Model final class Profile {
  struct Address: Codable, Equatable {
    var street: String
    var city: String?
    var coordinate: Coordinate?

    struct Coordinate: Codable, Equatable { var latitude, longitude: Double }
  }

  enum Plan: Codable, Equatable {
    case free
    case paid(until: Date, seats: Int)
  }

  enum Theme: String, Codable { case light, dark, system }

  @Attribute(.unique) var id = UUID()
  var name: String
  var address: Address
  var former: [Address] = []
  var plan: Plan = Plan.free
  var theme: Theme? = Theme.system
  var tags: Set<String> = []
  var settings: [String: Int] = [:]
  var website: URL?
  var balance: Decimal = 0
  var created: Date = Date.now
  @Attribute(.externalStorage) var photo: Data?
  @Attribute(.ephemeral) var isEditing: Bool = false
  @Transient var cache: [String: Double] = [:]
  private(set) var logins = 0
  private var secret: String = "s"

  var initials: String { name.split(separator: " ").compactMap(\.first).map(String.init).joined() }

  init(name: String, address: Address) {
    self.name = name
    self.address = address
  }

  func logIn() {
    logins += 1
    secret = String(secret.reversed())
  }
}

/// A model with properties of many types, as apps have them.
@Suite struct ProfilesTests {
  let container: ModelContainer

  init() throws {
    container = try ModelContainer(for: Profile.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test func `Every value comes back as it was`() throws {
    let context = ModelContext(container)
    let profile = Profile(
      name: "Ada Lovelace",
      address: .init(street: "1 Way", city: "London", coordinate: .init(latitude: 51.5, longitude: 0)))
    let until = Date(timeIntervalSince1970: 2_000_000_000.5)
    profile.plan = .paid(until: until, seats: 3)
    profile.former = [.init(street: "2 Way"), .init(street: "3 Way", city: "Ockham")]
    profile.theme = nil
    profile.tags = ["a", "b"]
    profile.settings = ["x": 1]
    profile.website = URL(string: "https://example.org/ada?x=1")
    profile.balance = Decimal(string: "12345678901234567890.01")!
    profile.photo = Data(repeating: 7, count: 200_000)
    profile.cache["a"] = 1
    profile.logIn()
    context.insert(profile)
    try context.save()

    let copy = try #require(try ModelContext(container).fetch(FetchDescriptor<Profile>()).first)
    #expect(copy.id == profile.id && copy.created == profile.created)
    #expect(copy.address == profile.address && copy.former == profile.former)
    #expect(copy.plan == .paid(until: until, seats: 3))
    #expect(copy.theme == nil && copy.tags == ["a", "b"] && copy.settings == ["x": 1])
    #expect(copy.website == profile.website && copy.balance == profile.balance && copy.photo == profile.photo)
    #expect(copy.cache.isEmpty && copy.logins == 1 && copy.initials == "AL")
  }

  @Test func `Parts of values are edited and asked for`() throws {
    let context = ModelContext(container)
    let profile = Profile(name: "Grace", address: .init(street: "4 Way", city: "York"))
    context.insert(profile)
    try context.save()
    profile.address.city = "Leeds"
    profile.settings["volume", default: 0] += 11
    profile.former.append(profile.address)
    #expect(profile.hasChanges && context.hasChanges)
    try context.save()
    let found = try context.fetch(
      FetchDescriptor<Profile>(predicate: #Predicate { $0.address.city == "Leeds" && $0.name != "" }))
    #expect(found.first?.settings == ["volume": 11])
    let system = Profile.Theme.system
    #expect(try context.fetchCount(FetchDescriptor<Profile>(predicate: #Predicate { $0.theme == system })) == 1)
    let day = Date.now.addingTimeInterval(-86_400)
    #expect(try context.fetchCount(FetchDescriptor<Profile>(predicate: #Predicate { $0.created > day })) == 1)
  }
}
