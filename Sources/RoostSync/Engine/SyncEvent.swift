/// Something that happened while a store was synced.
public enum SyncEvent: Hashable, Sendable {
  /// ``SyncEngine/status`` is another one.
  case status(SyncStatus)
  /// The server has taken changes of so many rows.
  case sent(rows: Int)
  /// So many rows came in a page from the server, this device's own among them once they were sent.
  case received(rows: Int)
  /// Changes met others': so many are new in the journal.
  case conflicts(Int)
  /// The rows of these models are not those of the server, or not in their last versions, though nothing is on its way.
  ///
  /// Something is wrong with the store, the server or Roost. All rows are fetched anew, once, and
  /// compared again: if the event comes again, that did not help. They are compared as a session begins,
  /// once a day while they are the same.
  case differs(models: [String])
}
