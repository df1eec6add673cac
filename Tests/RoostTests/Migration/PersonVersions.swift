import Roost

/// Persons whose names and addresses are taken apart.
enum PersonsV1: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Person.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)

  @Model final class Person {
    var name: String
    var street: String?
    var city: String?

    init(name: String, street: String? = nil, city: String? = nil) {
      (self.name, self.street, self.city) = (name, street, city)
    }
  }
}

enum PersonsV2: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Person.self, Address.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  @Model final class Person {
    var first: String
    var last: String
    var address: Address?

    init(first: String, last: String) { (self.first, self.last) = (first, last) }
  }

  @Model final class Address {
    var street: String?
    var city: String?
    var country = "NO"
    @Relationship(inverse: \Person.address) var persons: [Person] = []

    init(street: String?, city: String?) { (self.street, self.city) = (street, city) }
  }
}

enum PersonsPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [PersonsV1.self, PersonsV2.self]
  static let stages: [MigrationStage] = [
    .custom(
      from: PersonsV1.self, to: PersonsV2.self,
      steps: [
        .split(\PersonsV1.Person.name, into: \PersonsV2.Person.first, \PersonsV2.Person.last) { name in
          let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
          return (parts.first ?? "", parts.dropFirst().first ?? "")
        },
        .extract(
          \PersonsV1.Person.street, \PersonsV1.Person.city, as: \PersonsV2.Address.street, \PersonsV2.Address.city,
          into: \PersonsV2.Person.address),
      ])
  ]
}
