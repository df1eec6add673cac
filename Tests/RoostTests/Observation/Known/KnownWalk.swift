import Foundation
import Roost
import RoostEngine

/// Runs an interleaving: the writers of `SharedWalk`, and everything that can be observed.
@MainActor final class KnownWalk {
  let shared: SharedWalk
  private let shell: Connection
  private var watchers: [KnownWatcher] = []
  private let history: KnownHistory
  private let tally: KnownTally

  init(_ tally: KnownTally) throws {
    self.tally = tally
    shared = try SharedWalk()
    shell = try Connection(ConnectionOptions(location: .file(path: shared.file.path)))
    history = try KnownHistory(shared.container)
    for user in shared.users { watchers.append(try KnownWatcher(user, seed: watchers.count)) }
  }

  isolated deinit { shell.close() }

  func run(_ step: KnownStep) async throws {
    switch step {
    case .shared(let step):
      // The tokens of before expire.
      if step.kind == .forgetHistory { history.forget() }
      try shared.run(step, isChecked: false)
    case .shell(let number): try writeByShell(number)
    case .wait: await waitUntilTold(shared.container)
    case .keepPlace: try history.keepPlace()
    case .look(let number): try await look(number % watchers.count)
    }
  }

  func checkAll() async throws {
    for index in watchers.indices { try await look(index) }
    try await history.checkObserver(tally)
    try history.replay(tally)
    try shared.checkAll()
  }

  private func look(_ index: Int) async throws {
    let user = shared.users[index]
    if watchers[index].context !== user.context { watchers[index] = try KnownWatcher(user, seed: index) }
    try await watchers[index].look(tally)
  }

  /// What no delete rule and no relationship's other side is about, as a shell keeps neither.
  private func writeByShell(_ number: Int) throws {
    let place = "(SELECT min(_pk) + \(number / 8 % 5) FROM"
    switch number % 8 {
    case 0: try shell.execute("UPDATE SharedFile SET number = number + 100000 WHERE _pk = \(place) SharedFile)")
    case 1: try shell.execute("UPDATE SharedFolder SET number = number + 100000 WHERE _pk % 3 = 0")
    case 2: try shell.execute("INSERT OR IGNORE INTO SharedFile (name, number) VALUES ('shell \(number)', -\(number))")
    case 3: try shell.execute("INSERT OR REPLACE INTO SharedTag (name, number) VALUES ('new', -\(number))")
    case 4: try shell.execute("DELETE FROM SharedLock WHERE _pk = \(place) SharedLock)")
    case 5: try shell.execute("UPDATE SharedLock SET folder = NULL WHERE _pk % 2 = 0")
    case 6: try shell.execute("UPDATE SharedFile SET folder = (SELECT max(_pk) FROM SharedFolder) WHERE _pk % 2 = 1")
    default: try shell.execute("UPDATE SharedPage SET name = 'shell \(number)' WHERE _pk = \(place) SharedPage)")
    }
  }
}
