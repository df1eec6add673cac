// What a statement of this context's own has written, which says nothing of rows.
extension ModelContext {
  /// Gives models what is stored now, also what others have written.
  package func showWritten() {
    noticeOtherSaves()
    // What it shows of rows with pending changes was stored before.
    forgetOverlay()
  }

  /// Has the next query shown all pending changes anew.
  func forgetOverlay() {
    guard overlay != nil else { return }
    overlay?.close()
    overlay = nil
  }
}
