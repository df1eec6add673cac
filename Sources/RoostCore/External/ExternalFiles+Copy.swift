import Foundation

// A file is never changed, so that several stores may have the same one. Each removes its own name.
extension ExternalFiles {
  /// Has files at another place as well.
  ///
  /// Where linking is allowed, a second name of the same file does, which takes no time and no room.
  package func copy(
    _ names: Set<ExternalName>, to other: ExternalFiles, isLinking: Bool = false, skipsMissing: Bool = false
  ) throws(ExternalFileError) {
    if names.isEmpty { return }
    for name in try skipsMissing ? names.intersection(present()) : names {
      let (source, target) = (url(of: name), other.url(of: name))
      let size = Disk.size(of: source)
      do {
        try other.makeFolder()
        // A store has it already, and may be open. What a crash cut off differs.
        if size != nil, FileManager.default.contentsEqual(atPath: source.path, andPath: target.path) {
          try Disk.synchronize(target)
          continue
        }
        try? FileManager.default.removeItem(at: target)
        if !isLinking || !Self.link(source, target) {
          try FileManager.default.copyItem(at: source, to: target)
          try Disk.synchronize(target)
        }
        guard Disk.size(of: target) == size else {
          throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: target.path])
        }
      } catch {
        throw ExternalFileError(url: source, underlying: error)
      }
    }
    try other.synchronizeFolder()
  }

  /// Those in the folder. A file that cannot be looked at is not one that is gone.
  private func present() throws(ExternalFileError) -> Set<ExternalName> {
    do {
      return try names()
    } catch {
      throw ExternalFileError(url: folder, underlying: error)
    }
  }

  /// False where there is no such thing, as on another disk.
  private static func link(_ source: URL, _ target: URL) -> Bool {
    do {
      try FileManager.default.linkItem(at: source, to: target)
      return true
    } catch {
      return false
    }
  }
}
