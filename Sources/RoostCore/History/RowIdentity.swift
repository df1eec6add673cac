/// Which row of all there are a model is, whatever its class is called and wherever the file is copied to.
///
/// ```swift
/// let identity = try context.rowIdentity(of: note)
/// let data = try JSONEncoder().encode(identity)
/// let same = try context.model(forRow: identity) as? Note
/// ```
/// A ``PersistentIdentifier`` has the name of the class in it, which a later version of the program may change. No row
/// that Roost inserts gets the identity of one that was deleted; other programs choose keys by themselves, and SQLite
/// gives the largest one again once its row is gone.
public struct RowIdentity: Codable, Hashable, Sendable {
  /// The identifier of the store that the row was made in.
  public let origin: String
  /// The number of the row's model there, which renames keep; for a subclass that of its root.
  public let entity: Int64
  /// The row's key there.
  public let key: Int64

  package init(origin: String, entity: Int64, key: Int64) {
    (self.origin, self.entity, self.key) = (origin, entity, key)
  }
}
