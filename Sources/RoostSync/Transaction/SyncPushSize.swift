/// How much a device sends at a time, where the server takes as much.
package struct SyncPushSize: Hashable, Sendable {
  /// The most bytes that are sent at once. Of more, others may see a part.
  package var wholeBytes: Int
  /// The most edits of a part of more.
  package var edits: Int
  /// The most bytes of such a part, unless one edit has more: what a slow connection takes in a minute, as it
  /// begins anew where it breaks off.
  package var bytes: Int

  package init(wholeBytes: Int = 1 << 20, edits: Int = 2_000, bytes: Int = 1 << 19) {
    (self.wholeBytes, self.edits, self.bytes) = (wholeBytes, edits, bytes)
  }
}
