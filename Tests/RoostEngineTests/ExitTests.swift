import Foundation
import RoostEngine
import Synchronization
import Testing

#if os(Linux) || os(macOS)
  @Suite struct ExitTests {
    @Test func `a process may end while threads read`() async throws {
      let file = try TemporaryFile()
      await #expect(processExitsWith: .success) { [path = file.path as String] in
        // Called last, as the first that is registered: every library has cleaned up by then.
        atexit { Readers.readOn() }
        try Readers.start(ConnectionOptions(location: .file(path: path)))
        exit(EXIT_SUCCESS)
      }
    }
  }

  /// Threads that read the pages of a file again and again, to the end of the process.
  private enum Readers {
    static let count = Atomic(0)

    static func start(_ options: ConnectionOptions) throws {
      var options = options
      options.cacheKilobytes = 0
      try Connection(options).execute("CREATE TABLE t(x); INSERT INTO t VALUES (zeroblob(100000))")
      for _ in 0..<4 {
        Thread.detachNewThread { [options] in
          guard let connection = try? Connection(options) else { return }
          while (try? connection.value("SELECT hex(x) FROM t")) != nil { count.add(1, ordering: .relaxed) }
        }
      }
      readOn()
    }

    /// Returns once they have read the file some times more.
    static func readOn() {
      let end = count.load(ordering: .relaxed) + 200
      while count.load(ordering: .relaxed) < end { sched_yield() }
    }
  }
#endif
