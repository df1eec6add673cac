import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// Stores that a plan brings from version to version.
@Suite struct PlanTests {
  private let store: Migrated

  init() throws { store = try Migrated() }

  private func makeTasks() throws {
    try store.open(TasksV1.Task.self, TasksV1.Tag.self) { context in
      let tags = ["a", "b", "a"].map { TasksV1.Tag(name: $0) }
      tags.forEach(context.insert)
      tags[2].parent = tags[0]
      let tasks = [TasksV1.Task(title: "🪺", minutes: 5), TasksV1.Task(title: "", minutes: -1)]
      tasks.forEach(context.insert)
      tasks[0].subtitle = "nest"
      tasks[0].tags = [tags[2], tags[1]]
      tasks[1].tags = [tags[0], tags[2]]
    }
  }

  private func checkNewest() throws {
    try store.open(TasksV4.Item.self, plan: TasksPlan.self) { context in
      let items = try context.fetch(FetchDescriptor<TasksV4.Item>(sortBy: [SortDescriptor(\.title)]))
      #expect(items.map(\.duration) == ["-1 min", "5 min"])
      #expect(items.map(\.heading) == ["", "🪺: nest"])
      #expect(items.map { $0.tags.map(\.name) } == [["a", "a'"], ["a'", "b"]])
      let tags = try context.fetch(FetchDescriptor<TasksV4.Tag>(sortBy: [SortDescriptor(\.name)]))
      #expect(tags.map(\.name) == ["a", "a'", "b", "migrated"])
      #expect(tags[1].parent?.name == "a")
    }
    try store.checkFile(TasksV4.Item.self)
    #expect(try store.strings("SELECT value FROM _roost_meta WHERE key = 'version'") == ["4.0.0"])
  }

  @Test func `a store without a plan adopts the version it looks like and goes through every stage`() throws {
    try makeTasks()
    try checkNewest()
    try checkNewest()
  }

  @Test func `a store of a version in the middle goes on from there`() throws {
    try makeTasks()
    enum Older: SchemaMigrationPlan {
      static let schemas = Array(TasksPlan.schemas.prefix(2))
      static let stages = Array(TasksPlan.stages.prefix(1))
    }
    try store.open(TasksV2.Task.self, plan: Older.self) { context in
      try #expect(context.fetchCount(FetchDescriptor<TasksV2.Tag>()) == 4)
    }
    try store.checkFile(TasksV2.Task.self)
    try checkNewest()
  }

  @Test func `code of a stage that throws leaves the store in its old version`() throws {
    try makeTasks()
    enum Failing: SchemaMigrationPlan {
      struct Refusal: Error {}
      static let schemas = TasksPlan.schemas
      static let stages: [MigrationStage] = [
        TasksPlan.stages[0], TasksPlan.stages[1],
        .custom(
          fromVersion: TasksV3.self, toVersion: TasksV4.self, willMigrate: nil, didMigrate: { _ in throw Refusal() }),
      ]
    }
    #expect(throws: Failing.Refusal.self) { try store.open(TasksV4.Item.self, plan: Failing.self) { _ in } }
    try store.checkFile(TasksV1.Task.self)
    try store.open(TasksV1.Task.self) { context in
      try #expect(Set(context.fetch(FetchDescriptor<TasksV1.Tag>()).map(\.name)) == ["a", "b"])
    }
    try checkNewest()
  }

  @Test func `a step that throws names its row`() throws {
    try makeTasks()
    enum Failing: SchemaMigrationPlan {
      struct NoTitle: Error {}
      static let schemas = Array(TasksPlan.schemas.prefix(3))
      static let stages: [MigrationStage] = [
        TasksPlan.stages[0],
        .custom(
          from: TasksV2.self, to: TasksV3.self,
          steps: [
            .transform(\TasksV2.Task.minutes, to: \TasksV3.Task.duration) { "\($0)" },
            .transform(\TasksV2.Task.title, to: \TasksV3.Task.heading) { title in
              if title.isEmpty { throw NoTitle() }
              return title
            },
            .drop(\TasksV2.Task.subtitle),
          ]),
      ]
    }
    let error = #expect(throws: SwiftDataError.self) { try store.open(TasksV3.Task.self, plan: Failing.self) { _ in } }
    #expect("\(error.map { "\($0)" } ?? "")".contains("computes Task.heading failed at row 2: NoTitle()"))
    try store.checkFile(TasksV1.Task.self)
  }

  @Test func `duplicates go before a unique constraint, and what referred to them refers to those that stay`() throws {
    try makeTasks()
    enum Deduplicating: SchemaMigrationPlan {
      static let schemas = Array(TasksPlan.schemas.prefix(2))
      static let stages: [MigrationStage] = [
        .custom(
          from: TasksV1.self, to: TasksV2.self,
          steps: [
            .deduplicate(by: \TasksV1.Tag.name, keep: .first), .sql("UPDATE Task SET title = 'none' WHERE title = ''"),
            .sql("UPDATE Task SET minutes = minutes * 2", .after),
          ])
      ]
    }
    try store.open(TasksV2.Task.self, plan: Deduplicating.self) { context in
      let tags = try context.fetch(FetchDescriptor<TasksV2.Tag>(sortBy: [SortDescriptor(\.name)]))
      #expect(tags.map(\.name) == ["a", "b"])
      let tasks = try context.fetch(FetchDescriptor<TasksV2.Task>(sortBy: [SortDescriptor(\.title)]))
      #expect(tasks.map(\.title) == ["🪺", "none"])
      #expect(tasks.map(\.minutes) == [10, -2])
      #expect(tasks.map { $0.tags.map(\.name) } == [["a", "b"], ["a"]])
    }
    try store.checkFile(TasksV2.Task.self)
  }

  @Test func `duplicates of a subclass go among its own rows alone`() throws {
    enum Old: VersionedSchema {
      static let models: [any PersistentModel.Type] = [Shelves.Classed.Book.self, Shelves.Classed.Comic.self]
      static let versionIdentifier = Schema.Version(1, 0, 0)
    }
    enum New: VersionedSchema {
      static let models: [any PersistentModel.Type] = [Shelves.Based.Book.self, Shelves.Based.Comic.self]
      static let versionIdentifier = Schema.Version(2, 0, 0)
    }
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [Old.self, New.self]
      static let stages: [MigrationStage] = [
        .custom(
          from: Old.self, to: New.self,
          steps: [.deduplicate(by: \Shelves.Classed.Comic.title, keep: .last)])
      ]
    }
    try store.open(Shelves.Classed.Book.self, Shelves.Classed.Comic.self) { context in
      context.insert(Shelves.Classed.Book(title: "same"))
      context.insert(Shelves.Classed.Book(title: "same"))
      context.insert(Shelves.Classed.Comic(title: "same", panels: 1))
      context.insert(Shelves.Classed.Comic(title: "same", panels: 2))
    }
    try store.open(Shelves.Based.Book.self, Shelves.Based.Comic.self, plan: Plan.self) { context in
      try #expect(context.fetchCount(FetchDescriptor<Shelves.Based.Book>()) == 3)
      try #expect(context.fetchCount(FetchDescriptor<Shelves.Based.Comic>()) == 1)
    }
  }

  @Test func `values that a step makes must be unique where the new version says so`() throws {
    try store.open(Versions.Pair.Name.self) { context in
      for last in ["a", "b", "b"] { context.insert(Versions.Pair.Name(first: last, last: last + String(last.count))) }
    }
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [NamesV1.self, NamesV2.self]
      static let stages: [MigrationStage] = [
        .custom(
          from: NamesV1.self, to: NamesV2.self,
          steps: [.transform(\Versions.Pair.Name.first, to: \Versions.Unique.Name.last) { $0 }])
      ]
    }
    enum Settling: SchemaMigrationPlan {
      static let schemas = Plan.schemas
      static let stages: [MigrationStage] = [
        .custom(from: NamesV1.self, to: NamesV2.self) { _, new in
          for (number, name) in try new.fetch(FetchDescriptor<Versions.Unique.Name>()).enumerated() {
            name.last += "\(number)"
          }
        }
      ]
    }
    let obstacles = try store.obstacles(Versions.Unique.Name.self, plan: Plan.self)
    #expect(obstacles.map(\.exampleRow) == ["2 ('b')"])
    #expect(obstacles.first?.remedy.contains("make values that differ") ?? false)
    try store.checkFile(Versions.Pair.Name.self)
    try store.open(Versions.Unique.Name.self, plan: Settling.self) { context in
      try #expect(context.fetchCount(FetchDescriptor<Versions.Unique.Name>()) == 3)
    }
    try store.checkFile(Versions.Unique.Name.self)
  }

  @Test func `a step gets a value that is in a file`() throws {
    enum Old: VersionedSchema {
      static let models: [any PersistentModel.Type] = [Versions.Outside.Photo.self]
      static let versionIdentifier = Schema.Version(1, 0, 0)
    }
    enum New: VersionedSchema {
      static let models: [any PersistentModel.Type] = [Versions.Inline.Photo.self]
      static let versionIdentifier = Schema.Version(2, 0, 0)
    }
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [Old.self, New.self]
      static let stages: [MigrationStage] = [
        .custom(
          from: Old.self, to: New.self,
          steps: [
            .transform(\Versions.Outside.Photo.bytes, to: \Versions.Inline.Photo.caption) { "\($0.count) bytes" }
          ])
      ]
    }
    try store.open(Versions.Outside.Photo.self) { context in
      context.insert(Versions.Outside.Photo(bytes: Data(repeating: 7, count: 200_000), caption: "large"))
      context.insert(Versions.Outside.Photo(bytes: Data([1, 2]), caption: "small"))
    }
    try store.open(Versions.Inline.Photo.self, plan: Plan.self) { context in
      let photos = try context.fetch(FetchDescriptor<Versions.Inline.Photo>(sortBy: [SortDescriptor(\.caption)]))
      #expect(photos.map(\.caption) == ["2 bytes", "200000 bytes"])
      #expect(photos.map(\.bytes.count) == [2, 200_000])
    }
    try store.checkFile(Versions.Inline.Photo.self)
  }

  @Test func `a step for rows that are not there is an error`() throws {
    try store.open(Versions.Pair.Name.self) { $0.insert(Versions.Pair.Name(first: "a", last: "b")) }
    enum New: VersionedSchema {
      static let models: [any PersistentModel.Type] = [Versions.Pair.Name.self, Versions.Original.Note.self]
      static let versionIdentifier = Schema.Version(2, 0, 0)
    }
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [NamesV1.self, New.self]
      static let stages: [MigrationStage] = [
        .custom(
          from: NamesV1.self, to: New.self,
          steps: [.transform(\Versions.Pair.Name.first, to: \Versions.Original.Note.title) { $0 }])
      ]
    }
    let error = #expect(throws: SwiftDataError.self) {
      try store.open(Versions.Pair.Name.self, Versions.Original.Note.self, plan: Plan.self) { _ in }
    }
    #expect(error == .unsupportedKeyPath)
    #expect("\(error.map { "\($0)" } ?? "")".contains("no rows that become those of Note"))
  }

  @Test func `code of a stage deletes and links by the rules of its version`() throws {
    try makeTasks()
    enum Deleting: SchemaMigrationPlan {
      static let schemas = Array(TasksPlan.schemas.prefix(2))
      static let stages: [MigrationStage] = [
        .custom(
          fromVersion: TasksV1.self, toVersion: TasksV2.self,
          willMigrate: { context in
            let tags = try context.fetch(FetchDescriptor<TasksV1.Tag>())
            context.delete(tags[0])
            // What is left unsaved is saved.
          },
          didMigrate: { context in
            let task = try #require(
              try context.fetch(FetchDescriptor<TasksV2.Task>(sortBy: [SortDescriptor(\.title)])).first)
            task.tags.append(TasksV2.Tag(name: "c"))
          })
      ]
    }
    try store.open(TasksV2.Task.self, plan: Deleting.self) { context in
      let tasks = try context.fetch(FetchDescriptor<TasksV2.Task>(sortBy: [SortDescriptor(\.title)]))
      #expect(tasks[0].tags.last?.name == "c")
      let count = try context.fetch(FetchDescriptor<TasksV2.Tag>()).filter { $0.parent == nil }.count
      #expect(count == 3)
    }
    try store.checkFile(TasksV2.Task.self)
  }

  @Test func `what a stage deletes last is referred to by nothing`() throws {
    try makeTasks()
    enum Deleting: SchemaMigrationPlan {
      static let schemas = Array(TasksPlan.schemas.prefix(2))
      static let stages: [MigrationStage] = [
        .custom(
          fromVersion: TasksV1.self, toVersion: TasksV2.self,
          willMigrate: { context in
            for tag in try context.fetch(FetchDescriptor<TasksV1.Tag>()) where tag.parent != nil { tag.name = "c" }
          },
          didMigrate: { context in
            let name = "a"
            for tag in try context.fetch(FetchDescriptor<TasksV2.Tag>(predicate: #Predicate { $0.name == name })) {
              context.delete(tag)
            }
          })
      ]
    }
    try store.open(TasksV2.Task.self, plan: Deleting.self) { context in
      let tasks = try context.fetch(FetchDescriptor<TasksV2.Task>(sortBy: [SortDescriptor(\.title)]))
      #expect(tasks.map { $0.tags.map(\.name) } == [["c"], ["c", "b"]])
      #expect(try context.fetchCount(FetchDescriptor<TasksV2.Tag>(predicate: #Predicate { $0.parent == nil })) == 2)
    }
    try store.checkFile(TasksV2.Task.self)
  }

  @Test func `what SQL deletes in the new tables is referred to by nothing`() throws {
    try makeTasks()
    enum Deleting: SchemaMigrationPlan {
      static let schemas = Array(TasksPlan.schemas.prefix(2))
      static let stages: [MigrationStage] = [
        .custom(
          from: TasksV1.self, to: TasksV2.self,
          steps: [
            .sql("UPDATE Tag SET name = 'c' WHERE parent IS NOT NULL"),
            .sql("DELETE FROM Tag WHERE name = 'a'", .after),
          ])
      ]
    }
    try store.open(TasksV2.Task.self, plan: Deleting.self) { context in
      let tasks = try context.fetch(FetchDescriptor<TasksV2.Task>(sortBy: [SortDescriptor(\.title)]))
      #expect(tasks.map { $0.tags.map(\.name) } == [["c"], ["c", "b"]])
      #expect(try context.fetchCount(FetchDescriptor<TasksV2.Tag>(predicate: #Predicate { $0.parent == nil })) == 2)
    }
    try store.checkFile(TasksV2.Task.self)
  }

  @Test(arguments: [true, false])
  func `of one-to-one partners of duplicates one stays with the row that stays`(hasOwn: Bool) throws {
    typealias Old = Versions.Partners
    try store.open(Old.Person.self) { context in
      let people = ["A", "A", "A", "B"].map { Old.Person(name: $0) }
      people.forEach(context.insert)
      try context.save()
      for (index, person) in people.enumerated() where hasOwn || index > 0 {
        person.passport = Old.Passport(number: "\(index)")
      }
    }
    try store.open(Versions.UniquePartners.Person.self, plan: Versions.PartnersPlan.self) { context in
      let people = try context.fetch(
        FetchDescriptor<Versions.UniquePartners.Person>(sortBy: [SortDescriptor(\.name)]))
      #expect(people.map { $0.passport?.number } == [hasOwn ? "0" : "1", "3"])
      let passports = try context.fetch(
        FetchDescriptor<Versions.UniquePartners.Passport>(sortBy: [SortDescriptor(\.number)]))
      #expect(passports.map { $0.holder?.name } == (hasOwn ? ["A", nil, nil, "B"] : ["A", nil, "B"]))
      // By itself alone: the database would take along whatever referred to it.
      context.delete(people[0])
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Versions.UniquePartners.Passport>()) == passports.count - 1)
    }
    try store.checkFile(Versions.UniquePartners.Person.self)
  }

  @Test func `a duplicate whose partner must have one is in the way, where the row that stays has another`() throws {
    typealias Old = Versions.Tenants
    try store.open(Old.Tenant.self) { context in
      for number in 0..<2 {
        let tenant = Old.Tenant(name: "A")
        context.insert(tenant)
        context.insert(Old.Lease(number: number, tenant: tenant))
      }
    }
    let error = #expect(throws: SwiftDataError.self) {
      try store.open(Versions.UniqueTenants.Tenant.self, plan: Versions.TenantsPlan.self) { _ in }
    }
    let obstacle = try #require(error?.obstacles.first)
    #expect(obstacle.model == "Lease" && obstacle.property == "tenant" && obstacle.remedy.contains("DELETE FROM Lease"))
    try store.open(Old.Tenant.self) { try #expect($0.fetchCount(FetchDescriptor<Old.Lease>()) == 2) }
  }

  @Test func `no model gets the key of one that was made of properties and is deleted`() throws {
    try store.open(PersonsV1.Person.self) { context in
      context.insert(PersonsV1.Person(name: "Ada Lovelace", street: "Way 1"))
      context.insert(PersonsV1.Person(name: "Bob", street: "Way 2"))
    }
    try store.open(PersonsV2.Person.self, plan: PersonsPlan.self) { context in
      let addresses = try context.fetch(FetchDescriptor<PersonsV2.Address>(sortBy: [SortDescriptor(\.street)]))
      let former = try #require(addresses.last).persistentModelID
      context.delete(try #require(addresses.last))
      try context.save()
      let next = PersonsV2.Address(street: "Way 3", city: nil)
      context.insert(next)
      try context.save()
      #expect(addresses.count == 2 && next.persistentModelID != former)
    }
  }

  @Test func `a property is split, and others become a model of their own`() throws {
    try store.open(PersonsV1.Person.self) { context in
      context.insert(PersonsV1.Person(name: "Ada King Lovelace", street: "Main 1", city: "Oslo"))
      context.insert(PersonsV1.Person(name: "Bob"))
      context.insert(PersonsV1.Person(name: "", city: "Bergen"))
    }
    try store.open(PersonsV2.Person.self, plan: PersonsPlan.self) { context in
      let persons = try context.fetch(FetchDescriptor<PersonsV2.Person>(sortBy: [SortDescriptor(\.first)]))
      #expect(persons.map(\.first) == ["", "Ada", "Bob"])
      #expect(persons.map(\.last) == ["", "King Lovelace", ""])
      #expect(persons.map { $0.address?.city } == ["Bergen", "Oslo", nil])
      #expect(persons[1].address?.street == "Main 1" && persons[1].address?.persons.count == 1)
      let addresses = try context.fetch(FetchDescriptor<PersonsV2.Address>())
      #expect(addresses.map(\.country) == ["NO", "NO"])
      context.insert(PersonsV2.Address(street: nil, city: "Tromsø"))
    }
    try store.checkFile(PersonsV2.Person.self)
  }

  @Test func `what becomes a model of its own refers back, and comes out of its file`() throws {
    let face = Data(repeating: 7, count: 200_000)
    try store.open(MembersV1.Member.self) { context in
      context.insert(MembersV1.Member(name: "Ada", face: face))
      context.insert(MembersV1.Member(name: "Bob", face: nil))
      context.insert(MembersV1.Member(name: "Eve", face: Data([1])))
    }
    try store.open(MembersV2.Member.self, plan: MembersPlan.self) { context in
      let members = try context.fetch(FetchDescriptor<MembersV2.Member>(sortBy: [SortDescriptor(\.name)]))
      #expect(members.map { $0.portrait?.face } == [face, nil, Data([1])])
      let portraits = try context.fetch(FetchDescriptor<MembersV2.Portrait>(sortBy: [SortDescriptor(\.member?.name)]))
      #expect(portraits.map { $0.member?.name } == ["Ada", "Eve"])
    }
    try store.checkFile(MembersV2.Member.self)
  }

  @Test func `code of a stage sees old and new models at once`() throws {
    try makeTasks()
    enum Both: SchemaMigrationPlan {
      static let schemas = Array(TasksPlan.schemas.prefix(3))
      static let stages: [MigrationStage] = [
        TasksPlan.stages[0],
        .custom(
          from: TasksV2.self, to: TasksV3.self,
          steps: [
            .fill(\TasksV3.Task.duration), .fill(\TasksV3.Task.heading), .drop(\TasksV2.Task.minutes),
            .drop(\TasksV2.Task.subtitle),
          ]
        ) { old, new in
          try new.update(TasksV3.Task.self, from: TasksV2.Task.self, in: old, batchSize: 1) { before, after in
            #expect(after.duration == "" && after.title == before.title)
            #expect(after.tags.map(\.name) == before.tags.map(\.name))
            after.duration = "\(before.minutes) s"
            after.heading = before.tags.map(\.name).joined(separator: "+")
          }
          let lost = try old.fetch(FetchDescriptor<TasksV2.Tag>())
          lost.forEach { $0.name += " lost" }
          let tag = TasksV3.Tag(name: "new")
          new.insert(tag)
          let tasks = try new.fetch(
            FetchDescriptor<TasksV3.Task>(predicate: #Predicate { $0.title != "" }))
          tag.tasks = tasks
        },
      ]
    }
    try store.open(TasksV3.Task.self, plan: Both.self) { context in
      let tasks = try context.fetch(FetchDescriptor<TasksV3.Task>(sortBy: [SortDescriptor(\.title)]))
      #expect(tasks.map(\.duration) == ["-1 s", "5 s"])
      #expect(tasks.map(\.heading) == ["a+a'", "a'+b"])
      #expect(tasks.map { $0.tags.map(\.name) } == [["a", "a'"], ["a'", "b", "new"]])
    }
    try store.checkFile(TasksV3.Task.self)
  }

  @Test(arguments: BadPlan.all) func `a plan that contradicts itself says how`(_ bad: BadPlan) throws {
    let error = #expect(throws: SwiftDataError.self) { try store.open(bad.model, plan: bad.plan) { _ in } }
    #expect(error == bad.error)
    #expect("\(error.map { "\($0)" } ?? "")".contains(bad.text), "\(error.map { "\($0)" } ?? "")")
  }

  @Test func `a gap, an unknown store and a newer one are errors that leave the file`() throws {
    try makeTasks()
    enum Gap: SchemaMigrationPlan {
      static let schemas = TasksPlan.schemas
      static let stages = [TasksPlan.stages[0], TasksPlan.stages[2]]
    }
    let gap = #expect(throws: SwiftDataError.unknownSchema) {
      try store.open(TasksV4.Item.self, plan: Gap.self) { _ in }
    }
    #expect(gap?.remedy?.contains(".lightweight(fromVersion: TasksV2.self, toVersion: TasksV3.self)") ?? false)
    enum Late: SchemaMigrationPlan {
      static let schemas = Array(TasksPlan.schemas.suffix(2))
      static let stages = Array(TasksPlan.stages.suffix(1))
    }
    let unknown = #expect(throws: SwiftDataError.unknownDataStoreSchema) {
      try store.open(TasksV4.Item.self, plan: Late.self) { _ in }
    }
    #expect(unknown?.message.contains("Task.heading: added") ?? false)
    try checkNewest()
    enum Early: SchemaMigrationPlan {
      static let schemas = Array(TasksPlan.schemas.prefix(2))
      static let stages = Array(TasksPlan.stages.prefix(1))
    }
    #expect(throws: SwiftDataError.backwardMigration) { try store.open(TasksV2.Task.self, plan: Early.self) { _ in } }
    #expect(throws: SwiftDataError.backwardMigration) {
      try store.open(TasksV3.Task.self, plan: TasksPlan.self) { _ in }
    }
    try checkNewest()
  }

  @Test func `a stage back brings a newer store to an older version`() throws {
    try makeTasks()
    try checkNewest()
    enum Back: SchemaMigrationPlan {
      static let schemas = TasksPlan.schemas
      static let stages: [MigrationStage] =
        TasksPlan.stages + [
          .custom(from: TasksV4.self, to: TasksV3.self, steps: [.drop(\TasksV4.Item.isDone)])
        ]
    }
    try store.open(TasksV3.Task.self, plan: Back.self) { context in
      let tasks = try context.fetch(FetchDescriptor<TasksV3.Task>(sortBy: [SortDescriptor(\.title)]))
      #expect(tasks.map(\.duration) == ["-1 min", "5 min"])
      #expect(tasks.map { $0.tags.map(\.name) } == [["a", "a'"], ["a'", "b"]])
    }
    try store.checkFile(TasksV3.Task.self)
  }

  @Test func `a context that code of a stage keeps is closed`() throws {
    try makeTasks()
    enum Keeping: SchemaMigrationPlan {
      nonisolated(unsafe) static var kept: ModelContext?  // SAFETY: this test's thread alone uses it.
      static let schemas = Array(TasksPlan.schemas.prefix(2))
      static let stages: [MigrationStage] = [
        .custom(
          fromVersion: TasksV1.self, toVersion: TasksV2.self,
          willMigrate: { context in
            try context.fetch(FetchDescriptor<TasksV1.Tag>()).enumerated().forEach { $1.name = "\($0)" }
            kept = context
          }, didMigrate: nil)
      ]
    }
    try store.open(TasksV2.Task.self, plan: Keeping.self) { _ in }
    let context = try #require(Keeping.kept)
    #expect(throws: SwiftDataError.storeClosed) { try context.fetch(FetchDescriptor<TasksV1.Task>()) }
    Keeping.kept = nil
  }
}

/// A plan with a mistake, and what the error says of it.
struct BadPlan: Sendable, CustomTestStringConvertible {
  let plan: any SchemaMigrationPlan.Type
  let model: any PersistentModel.Type
  let error: SwiftDataError
  let text: String

  var testDescription: String { "\(plan)" }

  static let all = [
    BadPlan(
      plan: Same.self, model: TasksV1.Task.self, error: .unknownSchema,
      text: "TasksV1 and Twin have the same models"),
    BadPlan(
      plan: Disordered.self, model: TasksV1.Task.self, error: .unknownSchema,
      text: "TasksV1 has the number 1.0.0, and TasksV2, before it, 2.0.0"),
    BadPlan(
      plan: Circle.self, model: TasksV1.Task.self, error: .unknownSchema, text: "A stage leads from TasksV1 to itself"),
    BadPlan(
      plan: Twice.self, model: TasksV2.Task.self, error: .unknownSchema,
      text: "Two stages lead from TasksV1 to TasksV2"),
    BadPlan(
      plan: Lacking.self, model: TasksV3.Task.self, error: .loadIssueModelContainer,
      text: #".transform(\V1.Task.minutes, to: \V2.Task.duration) { … }"#),
    BadPlan(
      plan: Missing.self, model: TasksV3.Task.self, error: .unknownSchema,
      text: "The container's models are none of Missing's versions"),
  ]

  enum Twin: VersionedSchema {
    static let models = TasksV1.models
    static let versionIdentifier = Schema.Version(1, 1, 0)
  }

  enum Same: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TasksV1.self, Twin.self]
    static let stages: [MigrationStage] = [.lightweight(fromVersion: TasksV1.self, toVersion: Twin.self)]
  }

  enum Disordered: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TasksV2.self, TasksV1.self]
    static let stages: [MigrationStage] = []
  }

  enum Circle: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TasksV1.self]
    static let stages: [MigrationStage] = [.lightweight(fromVersion: TasksV1.self, toVersion: TasksV1.self)]
  }

  enum Twice: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TasksV1.self, TasksV2.self]
    static let stages: [MigrationStage] = [
      .lightweight(fromVersion: TasksV1.self, toVersion: TasksV2.self),
      .lightweight(fromVersion: TasksV1.self, toVersion: TasksV2.self),
    ]
  }

  enum Lacking: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TasksV2.self, TasksV3.self]
    static let stages: [MigrationStage] = [.lightweight(fromVersion: TasksV2.self, toVersion: TasksV3.self)]
  }

  enum Missing: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TasksV1.self]
    static let stages: [MigrationStage] = []
  }
}
