import SQLiteLibrary
package import Foundation
import Synchronization

/// A file system for SQLite that passes everything on to the system's own, but for what a test has fail.
///
/// ```swift
/// let disk = FaultyDisk()
/// configuration.storeOptions.fileSystem = disk.name
/// disk.fail(.full, at: 3)
/// ```
/// Counted are writes, truncations, synchronisations and removals of files, which are what changes a disk. There is no
/// memory map.
package final class FaultyDisk: Sendable {
  package enum Fault: Sendable, CaseIterable {
    /// Writes fail as on a full disk.
    case full
    /// Everything fails as on a disk that is broken. Half of what was to be written is.
    case broken
  }

  enum Operation { case write, truncate, synchronize, remove }

  private struct State {
    var operations = 0
    var fault: (kind: Fault, number: Int, isLasting: Bool)?
    var observer: (@Sendable () -> Void)?
    var refusesNewFiles = false
    var synchronized: URL?
  }

  /// What SQLite calls the file system.
  package let name = "faulty-\(UUID().uuidString)"
  private let state = Mutex(State())

  package init() { register() }

  /// How many operations there were.
  package var operations: Int { state.withLock { $0.operations } }

  /// Has an operation fail, counted from 1 from now on, or it and all later ones, so that the disk stays as it is then.
  package func fail(_ fault: Fault, at number: Int, isLasting: Bool = false) {
    state.withLock { ($0.operations, $0.fault) = (0, (fault, number, isLasting)) }
  }

  /// Has everything work again, and counts anew.
  package func repair() { state.withLock { ($0.operations, $0.fault) = (0, nil) } }

  /// Has no file be made or opened for writing but those that are there, as on a disk that may only be read.
  package func refuseNewFiles() { state.withLock { $0.refusesNewFiles = true } }

  var refusesNewFiles: Bool { state.withLock { $0.refusesNewFiles } }

  /// Keeps copies of files in a folder from now on, each as it was when it was last synchronised: what a power cut
  /// leaves at the worst. nil: no longer.
  package func keepSynchronized(in folder: URL?) { state.withLock { $0.synchronized = folder } }

  /// A file was synchronised.
  func noteSynchronized(_ path: String) {
    guard let folder = state.withLock({ $0.synchronized }) else { return }
    let file = URL(fileURLWithPath: path)
    let copy = folder.appendingPathComponent(file.lastPathComponent)
    try? FileManager.default.removeItem(at: copy)
    try? FileManager.default.copyItem(at: file, to: copy)
  }

  /// Has a function called before each operation.
  package func observe(_ observer: (@Sendable () -> Void)?) { state.withLock { $0.observer = observer } }

  /// Counts an operation; the code to fail with, or nil.
  func begin(_ operation: Operation) -> Int32? {
    let (code, observer) = state.withLock { state -> (Int32?, (@Sendable () -> Void)?) in
      state.operations += 1
      guard let fault = state.fault else { return (nil, state.observer) }
      let isDue = fault.isLasting ? state.operations >= fault.number : state.operations == fault.number
      return (isDue ? Self.code(fault.kind, operation) : nil, state.observer)
    }
    observer?()
    return code
  }

  private static func code(_ fault: Fault, _ operation: Operation) -> Int32? {
    switch (fault, operation) {
    case (.full, .write): SQLITE_FULL
    case (.full, _): nil
    case (.broken, .write): SQLITE_IOERR | 3 << 8  // SQLITE_IOERR_WRITE, a macro that Swift does not import
    case (.broken, .synchronize): SQLITE_IOERR | 4 << 8  // SQLITE_IOERR_FSYNC
    case (.broken, .truncate): SQLITE_IOERR | 6 << 8  // SQLITE_IOERR_TRUNCATE
    case (.broken, .remove): SQLITE_IOERR | 10 << 8  // SQLITE_IOERR_DELETE
    }
  }
}
