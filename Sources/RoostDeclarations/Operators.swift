public import RoostCore

// The compiler finds operators through imports of whole modules alone, and a program that imports SwiftData has no
// import of all of RoostCore.

extension PersistentModel {
  /// Models are equal when they are the same instance: a context has one instance a row.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs === rhs }
}

extension SwiftDataError {
  /// Lets `catch SwiftDataError.unsupportedPredicate` catch every error of that kind.
  public static func ~= (lhs: SwiftDataError, rhs: any Error) -> Bool { (rhs as? SwiftDataError) == lhs }
}
