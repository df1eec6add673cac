import Synchronization

/// A value that is set later, or changes, for closures that run elsewhere.
final class Shared<T: Sendable>: Sendable {
  private let storage: Mutex<T?>

  init(_ value: T? = nil) {
    storage = Mutex(value)
  }

  var value: T? {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }

  /// Changes the value in one go.
  func update(_ change: (inout T?) -> Void) {
    storage.withLock { value in
      var copy = value
      change(&copy)
      value = copy
    }
  }
}
