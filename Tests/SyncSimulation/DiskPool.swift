import FaultyDisk
import RoostEngine
import Synchronization

/// Disks that are used again, as SQLite keeps each file system for as long as the process lives.
final class DiskPool: Sendable {
  static let shared = DiskPool()
  private let free = Mutex<[FaultyDisk]>([])

  private init() {
    // A disk is the first that SQLite hears of otherwise, and starts it with a lock that all threads share.
    _ = try? Connection(ConnectionOptions(location: .memory(name: "first")))
  }

  func take() -> FaultyDisk { free.withLock { $0.popLast() } ?? FaultyDisk() }

  func giveBack(_ disks: [FaultyDisk]) {
    for disk in disks { disk.repair() }
    free.withLock { $0 += disks }
  }
}
