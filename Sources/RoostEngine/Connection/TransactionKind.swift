/// When a transaction takes the lock to write.
package enum TransactionKind: Sendable, Hashable {
  /// At its first write; that write fails at once if somebody else wrote since the first read.
  case deferred
  /// When it begins, waiting for other writers.
  case immediate
}
