import Foundation
import RoostEngine
import Testing

@Suite struct OpeningTests {
  let file: TemporaryFile

  init() throws {
    file = try TemporaryFile()
  }

  private func failure(_ path: String, _ mode: ConnectionOptions.Mode = .readWriteCreate) -> DatabaseError? {
    do {
      _ = try Connection(ConnectionOptions(location: .file(path: path), mode: mode))
      return nil
    } catch {
      return error
    }
  }

  @Test func `A missing directory is reported`() {
    let error = failure(file.directory + "/none/store.sqlite")
    #expect(error?.primaryCode == DatabaseError.cantOpen)
    #expect(error?.message.contains("directory does not exist") == true)
  }

  @Test func `A missing file is made only if that is asked for`() throws {
    #expect(failure(file.path, .readWrite)?.primaryCode == DatabaseError.cantOpen)
    #expect(failure(file.path, .readOnly)?.primaryCode == DatabaseError.cantOpen)
    #expect(try file.names().isEmpty)
    #expect(failure(file.path) == nil)
    #expect(try file.names() == ["store.sqlite"])
  }

  @Test func `A directory is reported`() {
    let error = failure(file.directory)
    #expect(error?.primaryCode == DatabaseError.cantOpen)
    #expect(error?.message.contains(file.directory) == true)
  }

  @Test(arguments: ["", "a\0b"])
  func `A path that cannot be is reported`(path: String) {
    #expect(failure(path)?.code == DatabaseError.cantOpen)
  }

  @Test(arguments: [2, 99, 100, 5_000])
  func `A file that is no database is reported and left alone`(size: Int) throws {
    let content = Data(repeating: 0x6e, count: size)
    try content.write(to: URL(fileURLWithPath: file.path))
    #expect(failure(file.path)?.code == DatabaseError.notADatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == content)
  }

  @Test(arguments: [50, 100, 1_000, 4_096, 10_000])
  func `A truncated file is reported`(size: Int) throws {
    try file.fill(rows: 5_000)
    let whole = try Data(contentsOf: URL(fileURLWithPath: file.path))
    try whole.prefix(size).write(to: URL(fileURLWithPath: file.path))
    let code = failure(file.path)?.primaryCode
    #expect(code == DatabaseError.corrupt || code == DatabaseError.notADatabase)
  }

  #if os(Linux)
    @Test func `A file that may not be written is reported when it is to be written`() {
      // Not even the superuser may write the program that is running.
      #expect(failure("/proc/self/exe", .readWrite)?.code == DatabaseError.readOnly)
    }
  #endif

  @Test func `A connection for reading refuses to write`() throws {
    try file.fill(rows: 3)
    var options = file.options
    options.mode = .readOnly
    let connection = try Connection(options)
    #expect(try connection.value("SELECT count(*) FROM item") == .integer(3))
    #expect(codeThrown { try connection.execute("DELETE FROM item") } == DatabaseError.readOnly)
  }

  @Test(arguments: ["file:store?mode=memory", ":memory:", "per%20cent #1 'quoted'", "Mörike 🐦"])
  func `No character of a path has a special meaning`(name: String) throws {
    let path = file.directory + "/" + name
    let connection = try Connection(ConnectionOptions(location: .file(path: path)))
    try connection.execute("CREATE TABLE item(value)")
    connection.close()
    #expect(try file.names() == [name])
  }

  @Test func `What has a meaning to SQLite alone is a relative path here`() {
    #expect(failure("file:nowhere/store", .readWrite)?.primaryCode == DatabaseError.cantOpen)
    #expect(failure(":memory:", .readWrite)?.primaryCode == DatabaseError.cantOpen)
  }

  @Test func `Many connections can open a new file at once`() throws {
    let options = file.options
    let failures = Shared<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      do {
        _ = try Connection(options)
      } catch {
        failures.update { $0?.append("\(error)") }
      }
    }
    #expect(failures.value == [])
  }
}
