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
      ///
      /// `onLoss` is called when the folder was removed or renamed, after which nothing is told.
      init?(
        _ folder: URL, name: String, _ onChange: @escaping @Sendable () -> Void, onLoss: @escaping @Sendable () -> Void
      ) {
        let descriptor = open(folder.path, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .delete, .rename])
        source.setEventHandler { [weak source] in
          let isLost = source.map { !$0.data.isDisjoint(with: [.delete, .rename]) } ?? false
          if isLost { onLoss() } else { onChange() }
        }
        source.setCancelHandler { close(descriptor) }
        self.source = source
        source.activate()
      }
    #else
      /// By inotify. `onLoss` is called when the folder was removed or renamed, after which nothing is told.
      init?(
        _ folder: URL, name: String, _ onChange: @escaping @Sendable () -> Void, onLoss: @escaping @Sendable () -> Void
      ) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVE_SELF)
        guard inotify_add_watch(descriptor, folder.path, events) >= 0 else {
          close(descriptor)
          return nil
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        source.setEventHandler {
          let events = Self.events(descriptor)
          if events.contains(where: { $0.mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0 }) {
            onLoss()
          } else if events.contains(where: { $0.name == name || $0.name.isEmpty }) {
            onChange()
          }
        }
        source.setCancelHandler { close(descriptor) }
        self.source = source
        source.activate()
      }

      private struct Event {
        let mask: UInt32
        let name: String
      }

      /// Reads all that wait. Other files of the folder, such as the lock, change too.
      private static func events(_ descriptor: Int32) -> [Event] {
        var events: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
          let count = read(descriptor, &buffer, buffer.count)
          guard count > 0 else { return events }
          events += Self.events(in: buffer.prefix(count))
        }
      }

      /// An event is its watch, its mask, a cookie and its name's length, of four bytes each, and the name with NULs.
      /// One that says that others were lost has no name.
      private static func events(in bytes: ArraySlice<UInt8>) -> [Event] {
        func number(_ offset: Int, _ bytes: ArraySlice<UInt8>) -> UInt32 {
          bytes.dropFirst(offset).prefix(4).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        }
        var events: [Event] = []
        var rest = bytes
        while rest.count >= 16 {
          let length = Int(number(12, rest))
          let name = rest.dropFirst(16).prefix(length)
          events.append(
            Event(mask: number(4, rest), name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)))
          rest = rest.dropFirst(16 + length)
        }
        return events
      }
    #endif
  }
#endif
