import EncryptionSupport
import Foundation
import Roost
import RoostCore
import Testing

@testable import RoostCommand

@Suite struct EncryptionCommandTests {
  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try Data((0..<32).map { UInt8(200 + $0) }).write(to: fixture.file("key"))
    let digits = (0..<32).map { String(200 + $0, radix: 16) }.joined() + "\n"
    try Data(digits.utf8).write(to: fixture.file("digits"))
    try Data("sesame\nsecond line".utf8).write(to: fixture.file("passphrase"))
  }

  #if Encryption
    @Test(arguments: [("--key-file", "key"), ("--key-file", "digits"), ("--passphrase-file", "passphrase")])
    func `an encrypted store is looked at, copied and restored with its key`(_ option: String, _ file: String) throws {
      let key = [option, fixture.file(file).path]
      let encryption: ModelConfiguration.Encryption =
        file == "passphrase" ? .passphrase("sesame") : .key((0..<32).map { UInt8(200 + $0) })
      let configuration = ModelConfiguration(url: fixture.store, encryption: encryption)
      let container = try ModelContainer(for: V1.Task.self, configurations: configuration)
      let context = ModelContext(container)
      context.insert(V1.Task("a"))
      try context.save()
      try container.close()
      let store = fixture.store.path
      #expect(Run(["verify", store] + key).code == 0)
      #expect(Run(["schema", store, "--counts"] + key).output.contains("Task"))
      #expect(Run(["diff", store, store] + key).code == 0)
      #expect(Run(["check", store, "--against", try fixture.save(V1.Task.self, as: "schema.json")] + key).code == 0)
      let copy = fixture.file("copy.store").path
      #expect(Run(["backup", store, "--to", copy] + key).code == 0)
      #expect(Run(["verify", copy] + key).code == 0)
      #expect(Run(["restore", store, "--from", copy, "--yes"] + key).code == 0)
    }

    @Test(.plainFiles) func `without its key, and with another, an encrypted store is an error`() throws {
      let configuration = ModelConfiguration(url: fixture.store, encryption: .passphrase("open"))
      try ModelContainer(for: V1.Task.self, configurations: configuration).close()
      let store = fixture.store.path
      #expect(Run(["verify", store]).complaint.contains("encrypted"))
      #expect(Run(["verify", store, "--key-file", fixture.file("key").path]).complaint.contains("key"))
    }
  #else
    @Test func `a command that was built without encryption says so`() throws {
      try fixture.make(V1.Task.self)
      let result = Run(["verify", fixture.store.path, "--key-file", fixture.file("key").path])
      #expect(result.code == 2 && result.complaint.contains("traits: [\"Encryption\"]"))
    }
  #endif

  @Test func `a key and a passphrase at once are a mistake`() throws {
    let (key, passphrase) = (fixture.file("key").path, fixture.file("passphrase").path)
    let arguments = ["verify", fixture.store.path, "--key-file", key, "--passphrase-file", passphrase]
    #expect(Run(arguments).code == 2)
  }
}
