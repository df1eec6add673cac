#if canImport(SwiftUI)
  public import RoostCore
  public import RoostQuery
  public import SwiftUI

  /// What `@Query` keeps in a view: the models that match, kept up to date.
  ///
  /// ```swift
  /// struct NotesView: View {
  ///   @Query private var notes: [Note]
  ///
  ///   init(minimum: Int) {
  ///     _notes = Query(filter: #Predicate { $0.stars >= minimum }, sort: \.title)
  ///   }
  /// }
  /// ```
  /// It fetches in the environment's context before the view is drawn, and the view is drawn again when the results
  /// change: by edits in that context, by saves of all contexts of the container, and by writes of other programs. A
  /// view made anew with a query that asks for the same fetches nothing. Source: SwiftData's `Query`.
  @preconcurrency @MainActor
  public struct Query<Element, Result>: DynamicProperty where Element: PersistentModel {
    @Environment(\.modelContext) private var environmentContext
    @State private var live: LiveResults<Element, Result>
    private let request: QueryRequest<Element, Result>
    private let transaction: Transaction?

    init(_ request: QueryRequest<Element, Result>, _ transaction: Transaction?) {
      self.request = request
      self.transaction = transaction
      _live = State(initialValue: LiveResults(request.nothing))
    }

    /// The context that the models are fetched in: the environment's.
    public var modelContext: ModelContext { environmentContext }

    /// Why the last fetch failed; nil when it did not. Read it in a view's `body` only.
    ///
    /// The results are those of the last that did not fail. A query whose first fetch failed tries again whenever its
    /// view is drawn.
    public var fetchError: (any Error)? { live.current.error }

    /// The results, as an array or in sections; nothing before the view was drawn.
    public var wrappedValue: Result { live.current.results }

    /// The results in sections; none for a query without them.
    public var sections: SectionedResults<Element, String> { live.current.sections }

    /// Fetches if the query asks for something else than before. SwiftUI calls it before it draws the view.
    nonisolated public func update() {
      MainActor.assumeIsolated { live.show(request, in: environmentContext, transaction) }
    }
  }
#endif
