#if !canImport(ObjectiveC)
  public import Foundation

  // Foundation has these on Apple platforms alone, and programs await saves by them.
  extension NotificationCenter {
    /// The notifications of a name, from when they are iterated over.
    ///
    /// ```swift
    /// for await notification in NotificationCenter.default.notifications(named: ModelContext.didSave) { … }
    /// ```
    /// As Apple's
    /// [`notifications(named:object:)`](https://developer.apple.com/documentation/foundation/notificationcenter/notifications(named:object:)).
    ///
    /// - Parameters:
    ///   - name: the notifications' name.
    ///   - object: who posts them; nil for anybody.
    /// - Returns: a sequence without an end. It ends with the task that awaits it.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
      Notifications(center: self, name: name, object: object)
    }

    /// The notifications of a name.
    public final class Notifications: AsyncSequence, Sendable {
      private let center: NotificationCenter
      // SAFETY: nothing here uses the object. It is handed on to the centre, which compares its address, and
      // counting references to it is atomic.
      private nonisolated(unsafe) let object: AnyObject?
      private let name: Notification.Name

      fileprivate init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
        (self.center, self.name, self.object) = (center, name, object)
      }

      public func makeAsyncIterator() -> Iterator {
        let (stream, continuation) = AsyncStream.makeStream(of: Notification.self)
        // SAFETY: the observer is a token that nobody looks into. It is only handed back to the
        // centre, once, which locks itself.
        nonisolated(unsafe) let observer = center.addObserver(forName: name, object: object, queue: nil) {
          notification in
          // SAFETY: this block lets go of it here, and one task gets it. What is in it the poster shares with every
          // observer, on whatever thread each is, with or without this sequence.
          nonisolated(unsafe) let notification = notification
          continuation.yield(notification)
        }
        continuation.onTermination = { [self] _ in center.removeObserver(observer) }
        return Iterator(base: stream.makeAsyncIterator())
      }

      /// What awaits the next notification.
      public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<Notification>.Iterator

        public mutating func next() async -> Notification? { await base.next() }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
          await base.next(isolation: actor)
        }
      }
    }
  }
#endif
