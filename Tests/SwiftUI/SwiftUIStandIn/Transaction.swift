/// How a change of what is drawn moves.
public struct Animation: Hashable, Sendable {
  let name: String

  public static let `default` = Animation(name: "default")
  public static let linear = Animation(name: "linear")
}

/// What is said of a change.
public struct Transaction {
  public var animation: Animation?

  @TaskLocal static var currentAnimation: Animation?

  public init(animation: Animation? = nil) { self.animation = animation }
}

public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
  try Transaction.$currentAnimation.withValue(transaction.animation) { try body() }
}
