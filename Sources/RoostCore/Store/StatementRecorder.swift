import Synchronization

/// The SQL statements that a store runs, in their order. Public for `RoostTesting` alone, which says how to use it.
@_documentation(visibility: private)
public final class StatementRecorder: Sendable, Hashable {
  private let recorded = Mutex<[String]>([])
  /// Called as a statement begins to run, on its connection's thread.
  let began: (@Sendable (String) -> Void)?

  /// Whether ``statements`` has what ran.
  private let keepsAll: Bool

  public init() { (began, keepsAll) = (nil, true) }

  /// Makes a recorder that also calls a function before each statement does anything, or does that alone.
  package init(keepsAll: Bool = true, began: @escaping @Sendable (String) -> Void) {
    (self.began, self.keepsAll) = (began, keepsAll)
  }

  func record(_ statement: String) { if keepsAll { recorded.withLock { $0.append(statement) } } }

  /// The statements recorded so far.
  public var statements: [String] { recorded.withLock { $0 } }

  public static func == (lhs: StatementRecorder, rhs: StatementRecorder) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
