import Foundation
import Roost

/// All releases of the logbook, with every change that follows by itself and every kind of step.
enum LogPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [
    LogV1.self, LogV2.self, LogV3.self, LogV4.self, LogV5.self, LogV6.self, LogV7.self,
  ]

  static let stages: [MigrationStage] = [
    .lightweight(fromVersion: LogV1.self, toVersion: LogV2.self),
    .custom(
      from: LogV2.self, to: LogV3.self,
      steps: [
        .sql("UPDATE Note SET headline = 'Untitled' WHERE headline = ''"),
        .transform(\LogV2.Note.stars, to: \LogV3.Note.rating) { "\($0) of 5" },
        .split(\LogV2.Note.place, into: \LogV3.Note.lat, \LogV3.Note.lon) { ($0.lat, $0.lon) },
        .merge(\LogV2.Person.first, \LogV2.Person.last, into: \LogV3.Person.name) { "\($0) \($1)" },
        .backfill(\LogV3.Note.letters, from: \LogV3.Note.body) { $0.count },
        .drop(\LogV2.Note.hint),
        .deduplicate(by: \LogV2.Tag.name, keep: .first),
        .sql("UPDATE Person SET name = 'Anonymous' WHERE name = ' '", .after),
      ]),
    .lightweight(fromVersion: LogV3.self, toVersion: LogV4.self),
    .custom(
      from: LogV4.self, to: LogV5.self,
      steps: [
        .extract(
          \LogV4.Person.street, \LogV4.Person.city, as: \LogV5.Address.street, \LogV5.Address.city,
          into: \LogV5.Person.address),
        .fill(\LogV5.Entry.words), .drop(\LogV4.Entry.level), .drop(\LogV4.Entry.letters),
        .drop(LogV4.Draft.self),
      ]
    ) { old, new in
      try new.update(LogV5.Entry.self, from: LogV4.Entry.self, in: old) { before, after in
        after.words = before.body.split(separator: " ").count
      }
    },
    .lightweight(fromVersion: LogV5.self, toVersion: LogV6.self),
    .custom(
      fromVersion: LogV6.self, toVersion: LogV7.self,
      willMigrate: { context in
        for tag in try context.fetch(FetchDescriptor<LogV6.Tag>()) { tag.name = tag.name.uppercased() }
        try context.save()
        try context.execute(sql: "UPDATE Item SET pages = 0 WHERE pages IS NULL AND _type = 'Report'")
      },
      didMigrate: { context in
        let tags = try context.fetch(FetchDescriptor<LogV7.Tag>(sortBy: [SortDescriptor(\.persistentModelID)]))
        for tag in tags { context.insert(LogV7.Tally(of: tag)) }
        // What is left unsaved is saved.
      }),
    // And back, where nothing is in the way.
    .custom(
      from: LogV2.self, to: LogV1.self,
      steps: [
        .transform(\LogV2.Note.alias, to: \LogV1.Note.alias) { $0 ?? "" },
        .transform(\LogV2.Note.stars, to: \LogV1.Note.stars) { Int32(clamping: $0) },
        .transform(\LogV2.Note.byte, to: \LogV1.Note.byte) { UInt8(clamping: $0) },
        .transform(\LogV2.Note.ratio, to: \LogV1.Note.ratio) { Float($0) },
        .transform(\LogV2.Note.steps, to: \LogV1.Note.steps) { Int32(exactly: $0) ?? 0 },
        .transform(\LogV2.Note.level, to: \LogV1.Note.level) { LogV1.Level(rawValue: $0) ?? .middle },
      ]),
    .lightweight(fromVersion: LogV4.self, toVersion: LogV3.self),
    .lightweight(fromVersion: LogV7.self, toVersion: LogV6.self),
  ]

  /// What the rows of a version are made with.
  static let fillings: [@Sendable (ModelContext) throws -> Void] = [
    { try LogV1.fill($0) }, { try LogV2.fill($0) }, { try LogV3.fill($0) }, { try LogV4.fill($0) },
    { try LogV5.fill($0) }, { try LogV6.fill($0) }, { try LogV7.fill($0) },
  ]
}
