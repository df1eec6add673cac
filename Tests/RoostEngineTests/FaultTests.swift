import FaultyDisk
import RoostEngine
import Testing

/// What the engine leaves of a file when the disk fails.
@Suite struct FaultTests {
  @Test(arguments: FaultyDisk.Fault.allCases, [false, true])
  func `A transaction on a disk that fails at any moment is whole or undone`(
    fault: FaultyDisk.Fault, isLasting: Bool
  ) throws {
    var number = 0
    var wasReached = true
    while wasReached {
      number += 1
      let file = try TemporaryFile()
      try file.fill(rows: 3_000)
      let disk = FaultyDisk()
      var options = file.options
      // Little memory, so that pages are written before the commit.
      (options.fileSystem, options.cacheKilobytes) = (disk.name, 8)
      disk.fail(fault, at: number, isLasting: isLasting)
      var isCommitted = false
      if let connection = try? Connection(options) {
        isCommitted =
          (try? connection.transaction { try connection.execute("UPDATE item SET value = -value") }) != nil
        connection.close()
      }
      wasReached = disk.operations >= number
      let connection = try Connection(file.options)
      #expect(try connection.integrityCheck() == [])
      #expect(try connection.value("SELECT count(*) FROM item") == .integer(3_000))
      let positive = try connection.value("SELECT count(*) FROM item WHERE value > 0")
      #expect(positive == .integer(0) || (positive == .integer(3_000) && !isCommitted), "at \(number)")
    }
    #expect(number > 10)
  }
}
