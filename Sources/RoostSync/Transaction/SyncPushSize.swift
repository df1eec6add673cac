/// How much a device sends at a time, where the server takes as much.
package struct SyncPushSize: Hashable, Sendable {
  /// The most bytes that are sent at once. Of more, others may see a part.
  package var wholeBytes: Int
  /// The most edits of a part of more.
  package var edits: Int
  /// The most bytes of such a part, unless one edit has more: what a slow connection takes in a minute, as it
  /// begins anew where it breaks off.
  package var bytes: Int
  /// The most bytes of a value that is read to be sent: no zone takes a row of more.
  package var valueBytes: Int
  /// How many bytes of rows that history has nothing of are noted at a time, and what the last row has beyond.
  package var sweepBytes: Int

  package init(
    wholeBytes: Int = 1 << 20, edits: Int = 2_000, bytes: Int = 1 << 19, valueBytes: Int = 64 << 20,
    sweepBytes: Int = 4 << 20
  ) {
    (self.wholeBytes, self.edits, self.bytes) = (wholeBytes, edits, bytes)
    (self.valueBytes, self.sweepBytes) = (valueBytes, sweepBytes)
  }
}
