import Roost

// Neither models nor contexts are Sendable. Snapshots are.

@Model final class Book {
  var title: String
  init(title: String) { self.title = title }
}

func requireSendable(_ value: some Sendable) {}

func require(_ book: Book, _ context: ModelContext) {
  // error: conformance of 'Book' to 'Sendable' is unavailable: Models belong to their context's actor: pass snapshot()
  requireSendable(book)
  // error: conformance of 'ModelContext' to 'Sendable' is unavailable
  requireSendable(context)
  requireSendable(book.snapshot())
}
