public import RoostCore

extension ModelContext {
  /// The number of this context's models that are alive, to find leaks.
  public var liveModelCount: Int { _liveModelCount }
}
