import FaultyDisk
import Foundation
import Roost
import RoostCore
import Synchronization

/// The files of a store at one moment: what is there after `kill -9`, for what was written is the system's by then.
struct StoreImage: Equatable, Sendable {
  /// By their paths from the store's folder: the store, its log, the files of its values, its backups.
  private(set) var files: [String: Data] = [:]
  let name: String

  /// Reads everything whose name begins as the store's, but the shared memory, which is a process's own.
  ///
  /// Closing a file gives up the process's locks on it, so that other processes must not use the store meanwhile.
  init(of store: URL) throws {
    name = store.lastPathComponent
    let folder = store.deletingLastPathComponent().path
    let entries = try FileManager.default.subpathsOfDirectory(atPath: folder)
    for entry in entries where entry.hasPrefix(name) && !entry.hasSuffix("-shm") {
      var isFolder: ObjCBool = false
      let path = folder + "/" + entry
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { continue }
      files[entry] = try Data(contentsOf: URL(filePath: path))
    }
  }

  /// Writes the files into a folder of their own, in which the store has the same name.
  func unpacked<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    for (path, bytes) in files {
      let file = folder.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: file)
    }
    return try body(folder.url.appending(path: name))
  }
}

/// What a crash leaves of a store at each moment while `body` runs, and at its end; what is the same comes once.
///
/// The moments are before each statement on any connection that `body` opens with the configuration it is given, and
/// before each operation that changes the disk.
func everyMoment(of store: URL, while body: (ModelConfiguration) throws -> Void) throws -> [StoreImage] {
  let images = Mutex<[StoreImage]>([])
  let take: @Sendable () -> Void = {
    // What vanishes while it is read is in the next image, or in none.
    guard let image = try? StoreImage(of: store) else { return }
    images.withLock { if $0.last != image { $0.append(image) } }
  }
  let disk = FaultyDisk()
  disk.observe(take)
  var configuration = ModelConfiguration(url: store)
  configuration.storeOptions.fileSystem = disk.name
  configuration.storeOptions.recorder = StatementRecorder { _ in take() }
  try body(configuration)
  disk.observe(nil)
  take()
  return images.withLock { $0 }
}

/// Runs `body` over and over on the same store, with a disk that fails one operation later each time; counts the times.
///
/// `body` opens the store with the configuration, changes it and closes it. `check` looks at what is left, on a disk
/// that works, and is told whether `body` ended without an error.
@discardableResult
func everyFault(
  _ fault: FaultyDisk.Fault, isLasting: Bool, of image: StoreImage, while body: (ModelConfiguration) throws -> Void,
  check: (URL, Bool) throws -> Void
) throws -> Int {
  var number = 0
  var isOver = false
  while !isOver {
    number += 1
    try image.unpacked { url in
      let disk = FaultyDisk()
      var configuration = ModelConfiguration(url: url)
      configuration.storeOptions.fileSystem = disk.name
      configuration.storeOptions.busyTimeout = .milliseconds(50)
      disk.fail(fault, at: number, isLasting: isLasting)
      let result = Result { try body(configuration) }
      isOver = disk.operations < number
      try check(url, (try? result.get()) != nil)
    }
  }
  return number - 1
}
