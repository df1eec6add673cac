import EncryptionSupport
import Foundation
import Roost
import RoostCore
import Testing

#if os(Linux)
  /// The built command, as a shell runs it.
  @Suite(.readableByOthers) struct BinaryTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func run(_ arguments: String...) throws -> (code: Int32, output: String, complaint: String) {
      let process = Process()
      // Beside the bundle of tests.
      process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "roost")
      process.arguments = arguments
      let (output, complaint) = (Pipe(), Pipe())
      process.standardInput = FileHandle.nullDevice
      (process.standardOutput, process.standardError) = (output, complaint)
      try process.run()
      let texts = try [output, complaint].map { pipe in
        String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      }
      process.waitUntilExit()
      return (process.terminationStatus, texts[0], texts[1])
    }

    @Test func `exit codes and streams are as the help says`() throws {
      try fixture.make(V1.Task.self) { $0.insert(V1.Task("a", note: "n")) }
      let path = fixture.store.path
      let json = try fixture.save(Smaller.Task.self, as: "schema.json")
      let fine = try run("verify", path)
      #expect(fine == (0, "notes.store is sound.\n", ""))
      let found = try run("diff", path, json)
      #expect(found == (1, "Task.note: removed\n", ""))
      let missing = try run("schema", path + "x")
      #expect(missing.code == 2 && missing.output == "" && missing.complaint.contains("There is no such file."))
      #expect(try run("nonsense").code == 2)
      let refused = try run("restore", path, "--from", path)
      #expect(refused.code == 2 && refused.complaint.contains("Say --yes."))
    }
  }
#endif
