import EncryptionSupport
import RoostEngine
import Testing

@Suite struct PragmaTests {
  @Test(.plainFiles) func `The settings are in force`() throws {
    let file = try TemporaryFile()
    let connection = try Connection(file.options)
    #expect(try connection.value("PRAGMA journal_mode") == .text("wal"))
    #expect(try connection.value("PRAGMA synchronous") == .integer(1))
    #expect(try connection.value("PRAGMA temp_store") == .integer(2))
    #expect(try connection.value("PRAGMA foreign_keys") == .integer(1))
    #expect(try connection.value("PRAGMA mmap_size") == .integer(256 << 20))
    #expect(try connection.value("PRAGMA wal_autocheckpoint") == .integer(1000))
  }

  @Test func `Other settings replace the defaults`() throws {
    let file = try TemporaryFile()
    var options = file.options
    options.synchronous = .full
    options.foreignKeys = false
    options.memoryMapSize = 0
    options.walAutoCheckpointPages = 50
    options.cacheKilobytes = 65_536
    let connection = try Connection(options)
    #expect(try connection.value("PRAGMA synchronous") == .integer(2))
    #expect(try connection.value("PRAGMA foreign_keys") == .integer(0))
    #expect(try connection.value("PRAGMA mmap_size") == .integer(0))
    #expect(try connection.value("PRAGMA wal_autocheckpoint") == .integer(50))
    #expect(try connection.value("PRAGMA cache_size") == .integer(-65_536))
  }

  @Test func `A misspelled column in double quotes is an error and not a string`() throws {
    let connection = try Connection.inMemory()
    #expect(codeThrown { _ = try connection.value(#"SELECT "nonesuch""#) } == DatabaseError.error)
  }

  @Test func `The trace sees each statement, with its values only if asked`() throws {
    for reportsArguments in [false, true] {
      let log = Shared<[String]>([])
      var options = ConnectionOptions.inMemory
      options.reportsArguments = reportsArguments
      options.trace = { event in
        switch event {
        case .began(let sql): log.update { $0?.append("began " + sql) }
        case .ended(let sql, _): log.update { $0?.append("ended " + sql) }
        }
      }
      let connection = try Connection(options)
      _ = try connection.value("SELECT ?", .text("private"))
      let sql = reportsArguments ? "SELECT 'private'" : "SELECT ?"
      #expect(log.value?.suffix(2) == ["began " + sql, "ended " + sql])
    }
  }
}
