/// What a property was, and what two devices made of it, neither knowing of the other.
public struct SyncVersions<Value> {
  /// What it was before both; nil where that is not known, as of a value that was in a file.
  public let ancestor: Value?
  /// What the server has, by another device; or what is stored, for an edit that is not saved yet.
  public let remote: Value
  /// What this device wrote, or that edit.
  public let local: Value

  /// Makes them, as for a test of a function that merges.
  ///
  /// - Parameters:
  ///   - ancestor: what the property was before both.
  ///   - remote: what the server has.
  ///   - local: what this device wrote.
  public init(ancestor: Value?, remote: Value, local: Value) {
    (self.ancestor, self.remote, self.local) = (ancestor, remote, local)
  }
}

extension SyncVersions: Sendable where Value: Sendable {}
