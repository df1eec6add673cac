#if canImport(SwiftUI)
  import Logging
  import Observation
  import RoostCore
  import SwiftUI

  /// What a query shows, which outlives the view's values: SwiftUI makes a new `Query` with each.
  ///
  /// It shows what a `ResultsObserver` has told last and not what it would say now: so results that are shown change in
  /// the query's transaction, and not while views are being drawn.
  @MainActor final class LiveResults<Element: PersistentModel, Result> {
    private let registrar = ObservationRegistrar()
    private var shown: ShownResults<Element, Result>
    private var request: QueryRequest<Element, Result>?
    private var context: ModelContext?
    private var transaction: Transaction?
    /// Tells the observer's results; nil while there is none, because its first fetch failed.
    private var read: (@MainActor () -> ShownResults<Element, Result>)?
    /// How often the results were looked at. Only what the last look waits for is news.
    private var looks = 0

    init(_ nothing: ShownResults<Element, Result>) { shown = nothing }

    /// What is shown; who reads it is told when it changes.
    var current: ShownResults<Element, Result> {
      registrar.access(self, keyPath: \.shown)
      return shown
    }

    /// Observes what is asked for, unless it does already. The view is about to be drawn, so that nobody needs telling.
    func show(_ request: QueryRequest<Element, Result>, in context: ModelContext, _ transaction: Transaction?) {
      self.transaction = transaction
      let isKnown = context === self.context && (self.request.map(request.isSame) ?? false)
      if read != nil, isKnown { return }
      (self.request, self.context) = (request, context)
      do {
        read = try request.observe(context)
        look()
      } catch {
        (read, looks) = (nil, looks + 1)
        shown.error = error
        // Once, not whenever the view is drawn.
        if !isKnown { log(error) }
      }
    }

    private func log(_ error: any Error) {
      Logger(label: "roost").error(
        "A view's query failed; its results stay as they were",
        metadata: ["model": "\(Element.self)", "error": "\(error)"])
    }

    /// Shows what the observer tells, and waits for its next change.
    private func look() {
      guard let read else { return }
      looks += 1
      shown = withObservationTracking {
        read()
      } onChange: { [weak self, looks] in
        // The results are still the former ones.
        Task { @MainActor in self?.resultsChanged(since: looks) }
      }
    }

    private func resultsChanged(since look: Int) {
      guard look == looks else { return }
      if let transaction {
        withTransaction(transaction) { lookAgain() }
      } else {
        lookAgain()
      }
    }

    private func lookAgain() {
      registrar.withMutation(of: self, keyPath: \.shown) { look() }
    }
  }

  extension LiveResults: Observable {}
#endif
