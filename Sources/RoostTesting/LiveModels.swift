public import RoostCore

extension ModelContext {
  /// The number of this context's models that are alive, to find leaks.
  public var liveModelCount: Int { _liveModelCount }

  /// Lets go of the models that a context keeps for a while because relationships referred to them lately.
  public func forgetRecentModels() { _forgetRecentModels() }
}
