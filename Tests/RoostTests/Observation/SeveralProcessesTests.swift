import Foundation
import Roost
import Testing

#if os(Linux)
  /// Several programs that write to one file, and one that observes it.
  @Suite(.timeLimit(.minutes(30))) @MainActor struct SeveralProcessesTests {
    private static let writers = 4
    /// How many commits of others may come between two of a program's.
    private static let longestGap = 1_000
    /// More of them in `make soak`.
    private static let commits = ProcessInfo.processInfo.environment["ROOST_COMMITS"].flatMap { Int($0) } ?? 500

    @Test func `what four programs commit is all shown, with history complete and in order, and none is starved`()
      async throws
    {
      let folder = try TemporaryFolder()
      var configuration = ModelConfiguration(url: folder.store)
      configuration.storeOptions.history = .on
      let container = try ModelContainer(for: Tally.self, configurations: configuration)
      let context = container.mainContext
      let observer = try ResultsObserver<Tally, Never>(
        sortBy: [SortDescriptor(\.writer), SortDescriptor(\.number)], modelContext: context)
      #expect(container._isPolling)
      let processes = try (0..<Self.writers).map { try start(folder.store, writer: $0) }
      let total = Self.writers * Self.commits
      var shown = 0
      for await tallies in try context.observe(observer.fetchDescriptor) {
        #expect(tallies.count >= shown, "rows went")
        shown = tallies.count
        if shown == total || processes.allSatisfy({ !$0.isRunning && $0.terminationStatus != 0 }) { break }
      }
      for process in processes {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      #expect(Array(observer.results.map { [$0.writer, $0.number] }) == expected)
      try checkHistory(context, Array(observer.results))
    }

    @Test func `another program leaves its log to a container whose file a second container looked at`() throws {
      let folder = try TemporaryFolder()
      let configuration = ModelConfiguration(url: folder.store)
      let container = try ModelContainer(for: Tally.self, configurations: configuration)
      let context = ModelContext(container)
      context.insert(Tally(writer: 7, number: 0))
      try context.save()
      try ModelContainer(for: Tally.self, configurations: configuration).close()
      let process = try start(folder.store, writer: 8, commits: 1)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      context.insert(Tally(writer: 7, number: 1))
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Tally>()) == 3)
    }

    private var expected: [[Int]] {
      (0..<Self.writers).flatMap { writer in (0..<Self.commits).map { [writer, $0] } }
    }

    /// Each commit is there once, after all that its program committed before.
    private func checkHistory(_ context: ModelContext, _ tallies: [Tally]) throws {
      let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
      #expect(zip(transactions, transactions.dropFirst()).allSatisfy { $0.token < $1.token })
      let known = Dictionary(uniqueKeysWithValues: tallies.map { ($0.persistentModelID, $0) })
      let commits = transactions.map { transaction in
        transaction.changes.compactMap { known[$0.changedPersistentIdentifier] }
      }
      #expect(commits.count == tallies.count && commits.allSatisfy { $0.count == 1 })
      let order = commits.flatMap { $0 }
      var longest = 0
      for writer in 0..<Self.writers {
        let places = order.indices.filter { order[$0].writer == writer }
        #expect(places.map { order[$0].number } == Array(0..<Self.commits))
        longest = max(longest, zip(places, places.dropFirst()).map { $1 - $0 - 1 }.max() ?? 0)
      }
      print("several processes: at most \(longest) commits of others between two of one")
      #expect(longest < Self.longestGap)
    }

    private func start(_ store: URL, writer: Int, commits: Int = Self.commits) throws -> Process {
      let process = Process()
      // Beside the bundle of tests.
      process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "Writer")
      process.arguments = [store.path, "\(writer)", "\(commits)"]
      try process.run()
      return process
    }
  }
#endif
