import Foundation
import SwiftData
import Testing

#if os(Linux)
  /// Each is a process, for the default store's place is that of the program and of its environment.
  @Suite struct DefaultStoreTests {
    let home: URL

    init() throws {
      home = FileManager.default.temporaryDirectory.appending(path: "DefaultStoreTests-\(UUID())")
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    @Test(arguments: ["", "schema", "versioned", "plan", "list", "configuration", "types", "group"])
    func `A program that names no url keeps its models, in a home that is empty at first`(form: String) throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let file = home.appending(path: ".local/share/notes/default.store").path
      for count in 1...2 {
        let notes = try Program("notes", [form], ["HOME": home.path])
        #expect(notes.lines == [file, "\(count)"], "\(notes.errors)")
      }
    }

    @Test func `A configuration's name is the file's`() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let notes = try Program("notes", ["named"], ["HOME": home.path])
      #expect(notes.lines == [home.appending(path: ".local/share/notes/Other.store").path, "1"], "\(notes.errors)")
    }

    @Test func `A store in the folder that the system names for data needs no folder either`() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let notes = try Program("notes", ["beside"], ["HOME": home.path])
      #expect(notes.lines == [home.appending(path: ".local/share/a.store").path, "1"], "\(notes.errors)")
    }

    @Test func `The folder for data is made, for its user alone`() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let data = home.appending(path: "data/of/programs")
      let notes = try Program("notes", [], ["HOME": "/dev/null", "XDG_DATA_HOME": data.path])
      #expect(notes.lines == [data.appending(path: "notes/default.store").path, "1"], "\(notes.errors)")
      let attributes = try FileManager.default.attributesOfItem(atPath: data.appending(path: "notes").path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `A relative folder for data is none, and without a home it is the user's own`() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let relative = try Program("notes", [], ["HOME": home.path, "XDG_DATA_HOME": "data"])
      #expect(relative.lines.first == home.appending(path: ".local/share/notes/default.store").path)
      let own = FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share/notes/default.store")
      #expect(try Program("notes", ["where"], ["HOME": ""]).lines == [own.path])
      #expect(try Program("notes", ["where"], [:]).lines == [own.path])
    }

    @Test func `Programs that start at once make one store`() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let running = try (1...4).map { _ in try Program.Running("notes", [], ["HOME": home.path]) }
      for program in running { #expect(try program.end().status == 0) }
      #expect(try Program("notes", [], ["HOME": home.path]).lines.last == "5")
    }

    @Test func `A home that nothing can be made in is an error that says so`() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let notes = try Program("notes", [], ["HOME": "/dev/null"])
      #expect(notes.status != 0)
      #expect(notes.errors.contains("loadIssueModelContainer"))
      #expect(notes.errors.contains("/dev/null/.local/share/notes/default.store"))
      #expect(notes.errors.contains("XDG_DATA_HOME"))
    }

    @Test func `A default store that is only read is not made`() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let notes = try Program("notes", ["read-only"], ["HOME": home.path])
      #expect(notes.status != 0)
      #expect(notes.errors.contains("loadIssueModelContainer"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }

    @Test func `A folder that a program names is made`() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let store = home.appending(path: "missing/folder/recipes.store")
      let context = ModelContext(
        try ModelContainer(for: Recipe.self, configurations: ModelConfiguration(url: store)))
      #expect(try context.fetchCount(FetchDescriptor<Recipe>()) == 0)
      #expect(FileManager.default.fileExists(atPath: store.path))
    }
  }
#endif
