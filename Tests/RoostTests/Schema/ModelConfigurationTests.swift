import Foundation
import RoostCore
import RoostEngine
import Testing

@Suite("Model configurations")
struct ModelConfigurationTests {
  @Test("A configuration without a name is called default and has a file of that name")
  func defaults() throws {
    let configuration = ModelConfiguration()
    #expect(configuration.name == "default")
    #expect(configuration.url.lastPathComponent == "default.store")
    #expect(configuration.url == ModelConfiguration.defaultURL())
    #expect(configuration.allowsSave)
    #expect(!configuration.isStoredInMemoryOnly)
    try configuration.validate()
  }

  @Test("The name names the file, and a url takes its place")
  func names() {
    #expect(ModelConfiguration("notes").url.lastPathComponent == "notes.store")
    let url = URL(fileURLWithPath: "/tmp/x.sqlite")
    let configuration = ModelConfiguration(url: url, allowsSave: false)
    #expect(configuration.url == url)
    #expect(configuration.id == url)
    #expect(configuration.name == "default")
    #expect(!configuration.allowsSave)
  }

  @Test("Two stores in memory are two stores")
  func memory() throws {
    let one = ModelConfiguration(isStoredInMemoryOnly: true)
    let other = ModelConfiguration(isStoredInMemoryOnly: true)
    #expect(one.id != other.id)
    #expect(one != other)
    #expect(one.url.path == "/dev/null")
    try one.validate()
  }

  @Test("Settings without effect are kept")
  func settings() {
    let configuration = ModelConfiguration(
      groupContainer: .identifier("group.a"), cloudKitDatabase: .private("iCloud.a"))
    #expect(configuration.groupAppContainerIdentifier == "group.a")
    #expect(configuration.cloudKitContainerIdentifier == "iCloud.a")
    #expect(ModelConfiguration().groupAppContainerIdentifier == nil)
  }

  @Test func `a database at a server is an error where there is no server`() {
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .private("iCloud.a")).validate()
    }
    #expect(throws: Never.self) {
      try ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .none).validate()
    }
  }

  @Test("The store's options reach its connections")
  func storeOptions() throws {
    var configuration = ModelConfiguration(url: URL(fileURLWithPath: "/tmp/x.sqlite"), allowsSave: false)
    #expect(try configuration.connectionOptions.synchronous == .normal)
    #expect(try configuration.connectionOptions.busyTimeout == .seconds(5))
    #expect(try configuration.connectionOptions.memoryMapSize == 256 << 20)
    #expect(try !configuration.connectionOptions.reportsArguments)
    #expect(try configuration.connectionOptions.mode == .readOnly)
    configuration.storeOptions = .init(
      durability: .full, busyTimeout: .milliseconds(7), memoryMapSize: 0, reportsArguments: true)
    #expect(try configuration.connectionOptions.synchronous == .full)
    #expect(try configuration.connectionOptions.busyTimeout == .milliseconds(7))
    #expect(try configuration.connectionOptions.memoryMapSize == 0)
    #expect(try configuration.connectionOptions.reportsArguments)
    configuration.storeOptions.durability = .none
    #expect(try configuration.connectionOptions.synchronous == .off)
    #expect(configuration != ModelConfiguration(url: configuration.url, allowsSave: false))
  }

  @Test("Model types given to a configuration bring those they refer to")
  func types() {
    let configuration = ModelConfiguration(for: Library.Book.self, isStoredInMemoryOnly: true)
    #expect(configuration.schema?.entities.count == 5)
  }

  @Test(
    "Names that no file may have are refused",
    arguments: ["", ".", "..", "a/b", "a\\b", "a\u{0}b", "a\nb", "a:b"])
  func invalid(name: String) {
    #expect(throws: SwiftDataError.configurationFileNameContainsInvalidCharacters) {
      try ModelConfiguration(name).validate()
    }
  }

  @Test("A file name must leave room for the files that SQLite puts beside the store")
  func length() throws {
    try ModelConfiguration(String(repeating: "a", count: 241)).validate()
    #expect(throws: SwiftDataError.configurationFileNameTooLong) {
      try ModelConfiguration(String(repeating: "a", count: 242)).validate()
    }
    #expect(throws: SwiftDataError.configurationFileNameTooLong) {
      try ModelConfiguration(String(repeating: "ü", count: 121)).validate()
    }
  }

  @Test("A url that stands for no file is refused")
  func urls() throws {
    for url in [try #require(URL(string: "https://example.com/a")), URL(fileURLWithPath: "/tmp/", isDirectory: true)] {
      #expect(throws: SwiftDataError.loadIssueModelContainer) { try ModelConfiguration(url: url).validate() }
    }
  }
}
