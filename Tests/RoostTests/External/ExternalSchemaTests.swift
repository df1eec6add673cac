import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

@Suite struct ExternalSchemaTests {
  @Test(
    arguments: [
      Unique.Page.self, Constrained.Page.self, Indexed.Page.self, Strict.Page.self,
    ] as [any PersistentModel.Type])
  func `what may be in a file cannot be unique, indexed or impossible to make up`(
    type: any PersistentModel.Type
  ) throws {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Schema([type]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
    }
    #expect(error == .invalidSchema && error?.model == "Page" && error?.property == "scan")
  }

  @Test func `what is not stored has no file`() throws {
    let folder = try TemporaryFolder()
    var configuration = ModelConfiguration(url: folder.store)
    configuration.storeOptions.externalStorageThreshold = 0
    let context = ModelContext(try ModelContainer(for: Ephemeral.Page.self, configurations: configuration))
    let page = Ephemeral.Page(scan: bytes(10))
    context.insert(page)
    try context.save()
    _ = try context.fetch(FetchDescriptor<Ephemeral.Page>())
    #expect(page.scan == bytes(10))
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Ephemeral.Page>()).map(\.scan) == [Data()])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy { !$0.contains("-files") })
  }

  @Test func `looking for the rows of files is a matter of an index`() throws {
    let gallery = try Gallery()
    _ = try gallery.open()
    let plan = try gallery.plan("SELECT image FROM Photo WHERE typeof(image) = 'text' AND image = '1'")
    #expect(plan.contains("USING COVERING INDEX Photo_image_index"))
  }
}

private enum Unique {
  @Model final class Page {
    @Attribute(.unique, .externalStorage) var scan: Data?
    init() {}
  }
}

private enum Constrained {
  @Model final class Page {
    #Unique<Page>([\.number, \.scan])
    var number = 0
    @Attribute(.externalStorage) var scan: Data?
    init() {}
  }
}

private enum Indexed {
  @Model final class Page {
    #Index<Page>([\.scan])
    @Attribute(.externalStorage) var scan: String = ""
    init() {}
  }
}

/// Has no value that Roost could make up.
private struct Drawing: Codable {
  var name: String

  init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String.self)
    if !name.hasPrefix("drawing") {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "empty"))
    }
  }
}

private enum Strict {
  @Model final class Page {
    @Attribute(.externalStorage) var scan: Drawing
    init(scan: Drawing) { self.scan = scan }
  }
}

private enum Ephemeral {
  @Model final class Page {
    @Attribute(.ephemeral, .externalStorage) var scan: Data
    init(scan: Data) { self.scan = scan }
  }
}
