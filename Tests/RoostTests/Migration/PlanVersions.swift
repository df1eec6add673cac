import Foundation
import Roost

/// Versions of a program's tasks, as it shipped them.
enum TasksV1: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Task.self, Tag.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)

  @Model final class Task {
    var title: String
    var minutes: Int
    var subtitle: String?
    @Relationship(inverse: \Tag.tasks) var tags: [Tag] = []

    init(title: String, minutes: Int) { (self.title, self.minutes) = (title, minutes) }
  }

  @Model final class Tag {
    var name: String
    var tasks: [Task] = []
    var parent: Tag?

    init(name: String) { self.name = name }
  }
}

/// Tags have different names.
enum TasksV2: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Task.self, Tag.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  @Model final class Task {
    var title: String
    var minutes: Int
    var subtitle: String?
    @Relationship(inverse: \Tag.tasks) var tags: [Tag] = []

    init(title: String, minutes: Int) { (self.title, self.minutes) = (title, minutes) }
  }

  @Model final class Tag {
    @Attribute(.unique) var name: String
    var tasks: [Task] = []
    var parent: Tag?

    init(name: String) { self.name = name }
  }
}

/// The duration is a text, the heading is made of two, and the subtitle is gone.
enum TasksV3: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Task.self, Tag.self]
  static let versionIdentifier = Schema.Version(3, 0, 0)

  @Model final class Task {
    var title: String
    @Attribute(originalName: "minutes") var duration: String
    var heading: String
    @Relationship(inverse: \Tag.tasks) var tags: [Tag] = []

    init(title: String, duration: String, heading: String) {
      (self.title, self.duration, self.heading) = (title, duration, heading)
    }
  }

  @Model final class Tag {
    @Attribute(.unique) var name: String
    var tasks: [Task] = []
    var parent: Tag?

    init(name: String) { self.name = name }
  }
}

/// Tasks are called items.
enum TasksV4: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Item.self, Tag.self]
  static let versionIdentifier = Schema.Version(4, 0, 0)

  @Model(originalName: "Task") final class Item {
    var title: String
    var duration: String
    var heading: String
    var isDone = false
    @Relationship(inverse: \Tag.items) var tags: [Tag] = []

    init(title: String, duration: String, heading: String) {
      (self.title, self.duration, self.heading) = (title, duration, heading)
    }
  }

  @Model final class Tag {
    @Attribute(.unique) var name: String
    @Relationship(originalName: "tasks") var items: [Item] = []
    var parent: Tag?

    init(name: String) { self.name = name }
  }
}

enum TasksPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [TasksV1.self, TasksV2.self, TasksV3.self, TasksV4.self]
  static let stages: [MigrationStage] = [
    .custom(
      fromVersion: TasksV1.self, toVersion: TasksV2.self,
      willMigrate: { context in
        var seen: Set<String> = []
        for tag in try context.fetch(FetchDescriptor<TasksV1.Tag>(sortBy: [SortDescriptor(\.name)])) {
          while !seen.insert(tag.name).inserted { tag.name += "'" }
        }
        try context.save()
      },
      didMigrate: { context in
        context.insert(TasksV2.Tag(name: "migrated"))
        try context.save()
      }),
    .custom(
      from: TasksV2.self, to: TasksV3.self,
      steps: [
        .transform(\TasksV2.Task.minutes, to: \TasksV3.Task.duration) { "\($0) min" },
        .merge(\TasksV2.Task.title, \TasksV2.Task.subtitle, into: \TasksV3.Task.heading) { title, subtitle in
          subtitle.map { "\(title): \($0)" } ?? title
        },
      ]),
    .lightweight(fromVersion: TasksV3.self, toVersion: TasksV4.self),
  ]
}

extension Versions {
  /// People who may have the same name.
  enum Partners: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Person.self, Passport.self]
    static let versionIdentifier = Schema.Version(1, 0, 0)

    @Model final class Person {
      var name: String
      @Relationship(deleteRule: .cascade, inverse: \Passport.holder) var passport: Passport?
      init(name: String) { self.name = name }
    }

    @Model final class Passport {
      var number: String
      var holder: Person?
      init(number: String) { self.number = number }
    }
  }

  /// People with names of their own.
  enum UniquePartners: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Person.self, Passport.self]
    static let versionIdentifier = Schema.Version(2, 0, 0)

    @Model final class Person {
      @Attribute(.unique) var name: String
      @Relationship(deleteRule: .cascade, inverse: \Passport.holder) var passport: Passport?
      init(name: String) { self.name = name }
    }

    @Model final class Passport {
      var number: String
      var holder: Person?
      init(number: String) { self.number = number }
    }
  }

  enum PartnersPlan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [Partners.self, UniquePartners.self]
    static let stages: [MigrationStage] = [
      .custom(
        from: Partners.self, to: UniquePartners.self,
        steps: [.deduplicate(by: \Partners.Person.name, keep: .first)])
    ]
  }

  /// Leases that must have a tenant.
  enum Tenants: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Tenant.self, Lease.self]
    static let versionIdentifier = Schema.Version(1, 0, 0)

    @Model final class Tenant {
      var name: String
      @Relationship(deleteRule: .cascade, inverse: \Lease.tenant) var lease: Lease?
      init(name: String) { self.name = name }
    }

    @Model final class Lease {
      var number: Int
      var tenant: Tenant
      init(number: Int, tenant: Tenant) { (self.number, self.tenant) = (number, tenant) }
    }
  }

  enum UniqueTenants: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Tenant.self, Lease.self]
    static let versionIdentifier = Schema.Version(2, 0, 0)

    @Model final class Tenant {
      @Attribute(.unique) var name: String
      @Relationship(deleteRule: .cascade, inverse: \Lease.tenant) var lease: Lease?
      init(name: String) { self.name = name }
    }

    @Model final class Lease {
      var number: Int
      var tenant: Tenant
      init(number: Int, tenant: Tenant) { (self.number, self.tenant) = (number, tenant) }
    }
  }

  enum TenantsPlan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [Tenants.self, UniqueTenants.self]
    static let stages: [MigrationStage] = [
      .custom(
        from: Tenants.self, to: UniqueTenants.self,
        steps: [.deduplicate(by: \Tenants.Tenant.name, keep: .first)])
    ]
  }
}
