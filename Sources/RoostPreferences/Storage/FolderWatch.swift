#if !os(Windows)
  import Dispatch
  import Foundation

  /// Tells when a file of a folder was replaced, written or removed, without looking again and again.
  ///
  // SAFETY: a source of Dispatch's may be used by any thread, and none but `deinit` uses it once it is there.
  final class FolderWatch: @unchecked Sendable {
    private let source: any DispatchSourceProtocol

    deinit { source.cancel() }

    #if canImport(Darwin)
      /// A folder is written to whenever one of its files is replaced.
      init?(_ folder: URL, name: String, _ onChange: @escaping @Sendable () -> Void) {
        let descriptor = open(folder.path, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: .write)
        source.setEventHandler(handler: onChange)
        source.setCancelHandler { close(descriptor) }
        self.source = source
        source.activate()
      }
    #else
      /// By inotify.
      init?(_ folder: URL, name: String, _ onChange: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE)
        guard inotify_add_watch(descriptor, folder.path, events) >= 0 else {
          close(descriptor)
          return nil
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        source.setEventHandler { if Self.hasEvent(of: name, descriptor) { onChange() } }
        source.setCancelHandler { close(descriptor) }
        self.source = source
        source.activate()
      }

      /// Reads all that wait. Other files of the folder, such as the lock, change too.
      private static func hasEvent(of name: String, _ descriptor: Int32) -> Bool {
        var isMeant = false
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
          let count = read(descriptor, &buffer, buffer.count)
          guard count > 0 else { return isMeant }
          isMeant = isMeant || names(in: buffer.prefix(count)).contains { $0 == name || $0.isEmpty }
        }
      }

      /// An event is its watch, its mask, a cookie and its name's length, of four bytes each, and the name with NULs. One that
      /// says that others were lost has no name.
      private static func names(in bytes: ArraySlice<UInt8>) -> [String] {
        var names: [String] = []
        var rest = bytes
        while rest.count >= 16 {
          let length = rest.dropFirst(12).prefix(4).withUnsafeBytes { Int($0.loadUnaligned(as: UInt32.self)) }
          let name = rest.dropFirst(16).prefix(length)
          names.append(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
          rest = rest.dropFirst(16 + length)
        }
        return names
      }
    #endif
  }
#endif
