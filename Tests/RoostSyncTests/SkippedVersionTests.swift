import Foundation
import Roost
import RoostSync
import SyncServer
import SyncSimulation
import TestSupport
import Testing

/// Devices whose programs skip a version that has renamed something.
@Suite struct SkippedVersionTests {
  private let folder: Folder
  private let server: SyncServer

  init() throws {
    folder = try Folder()
    server = try SyncServer(data: folder.url.appendingPathComponent("server"))
  }

  private func container(_ name: String, _ version: any VersionedSchema.Type) throws -> ModelContainer {
    var configuration = ModelConfiguration("sheets", url: folder.store(name))
    configuration.sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
    return try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: SheetPlan.self, configurations: configuration)
  }

  @Test func `what was renamed twice is the same by the plan where no device had the version between`() async throws {
    let older = try container("older", FirstSheets.self)
    let olderContext = ModelContext(older)
    let sheet = FirstSheets.Sheet("One")
    sheet.lines = [FirstSheets.Line("a"), FirstSheets.Line("b")]
    olderContext.insert(sheet)
    try olderContext.save()
    let updated = try container("updated", FirstSheets.self)
    for each in [older, updated] { try await each.sync?.now() }
    try updated.close()
    let all = [try container("updated", LastSheets.self), try container("new", LastSheets.self)]
    for each in all { try await each.sync?.now() }
    sheet.title = "Two"
    sheet.lines.swapAt(0, 1)
    try olderContext.save()
    for each in [older] + all {
      try await each.sync?.now()
      #expect(each.sync?.status.phase == .upToDate)
    }
    for each in all {
      let leaves = try ModelContext(each).fetch(FetchDescriptor<LastSheets.Leaf>())
      #expect(leaves.map(\.caption) == ["Two"] && leaves.map(\.title) == [nil])
      #expect(leaves.first?.rows.map(\.text) == ["b", "a"])
    }
  }
}

private enum FirstSheets: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static let models: [any PersistentModel.Type] = [Sheet.self, Line.self]

  @Model final class Sheet {
    var title: String
    @Relationship(inverse: \Line.sheet) var lines: [Line] = []
    init(_ title: String) { self.title = title }
  }

  @Model final class Line {
    var text: String
    var sheet: Sheet?
    init(_ text: String) { self.text = text }
  }
}

private enum MiddleSheets: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static let models: [any PersistentModel.Type] = [Page.self, Line.self]

  @Model(originalName: "Sheet") final class Page {
    @Attribute(originalName: "title") var heading: String
    @Relationship(originalName: "lines", inverse: \Line.page) var entries: [Line] = []
    init(_ heading: String) { self.heading = heading }
  }

  @Model final class Line {
    var text: String
    @Relationship(originalName: "sheet") var page: Page?
    init(_ text: String) { self.text = text }
  }
}

private enum LastSheets: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static let models: [any PersistentModel.Type] = [Leaf.self, Line.self]

  @Model(originalName: "Page") final class Leaf {
    @Attribute(originalName: "heading") var caption: String
    /// Another one than the first version's.
    var title: String?
    @Relationship(originalName: "entries", inverse: \Line.leaf) var rows: [Line] = []
    init(_ caption: String) { self.caption = caption }
  }

  @Model final class Line {
    var text: String
    @Relationship(originalName: "page") var leaf: Leaf?
    init(_ text: String) { self.text = text }
  }
}

private enum SheetPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [FirstSheets.self, MiddleSheets.self, LastSheets.self]
  static let stages: [MigrationStage] = [
    .lightweight(fromVersion: FirstSheets.self, toVersion: MiddleSheets.self),
    .lightweight(fromVersion: MiddleSheets.self, toVersion: LastSheets.self),
  ]
}
