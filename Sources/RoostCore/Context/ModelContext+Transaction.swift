extension ModelContext {
  /// Runs `block`, then saves everything that is pending, in one transaction of the store.
  ///
  /// Inside another transaction of this context it runs `block` alone, and the outermost one saves. A ``save()`` inside
  /// `block` writes at once what is pending by then.
  /// - Throws: what `block` throws: nothing is saved then, and its changes are still pending, so that the caller may
  ///   mend them or ``rollback()``. Or what ``save()`` throws.
  public func transaction(block: () throws -> Void) throws {
    do {
      transactionDepth += 1
      defer { transactionDepth -= 1 }
      try block()
    }
    if transactionDepth == 0 { try save() }
  }
}
