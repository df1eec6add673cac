extension SyncEdit {
  /// Adds a value that the device writes now to what it has yet to send.
  ///
  /// - Parameters:
  ///   - record: the row as the device knows it from the server; nil for one of its own that is not there yet.
  ///   - stamp: later than all that the device has seen.
  package mutating func write(
    _ value: SyncValue, to field: Int, _ stamp: SyncStamp, seeing record: SyncRecord?
  ) {
    self.stamp = stamp
    // What was to be sent of it has the same ancestor, or was rebased onto the record.
    fields[field] = SyncFieldEdit(
      value: value, ancestor: record?.fields[field]?.value ?? .null, base: record?.sequence ?? 0, stamp: stamp)
  }
}
