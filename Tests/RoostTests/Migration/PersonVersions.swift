import Foundation
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

/// Members with a portrait in a file.
enum MembersV1: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Member.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)

  @Model final class Member {
    var name: String
    @Attribute(.externalStorage) var face: Data?

    init(name: String, face: Data?) { (self.name, self.face) = (name, face) }
  }
}

/// A portrait is a model of its own, of one member.
enum MembersV2: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Member.self, Portrait.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  @Model final class Member {
    var name: String
    @Relationship(inverse: \Portrait.member) var portrait: Portrait?

    init(name: String) { self.name = name }
  }

  @Model final class Portrait {
    var face: Data?
    var member: Member?

    init(face: Data?) { self.face = face }
  }
}

enum MembersPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [MembersV1.self, MembersV2.self]
  static let stages: [MigrationStage] = [
    .custom(
      from: MembersV1.self, to: MembersV2.self,
      steps: [.extract(\MembersV1.Member.face, as: \MembersV2.Portrait.face, into: \MembersV2.Member.portrait)])
  ]
}
