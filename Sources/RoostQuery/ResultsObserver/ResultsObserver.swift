public import Foundation
public import Observation
public import RoostCore

/// The models that match a descriptor, kept up to date: a live query for programs without SwiftUI.
///
/// ```swift
/// @MainActor final class Departures {
///   let flights: ResultsObserver<Flight, Never>
///   init(_ container: ModelContainer) throws {
///     flights = try ResultsObserver(sortBy: [SortDescriptor(\.departure)], modelContext: container.mainContext)
///   }
/// }
/// for await count in Observations({ departures.flights.results.count }) { print(count) }
/// ```
/// Whoever reads ``results`` gets them as the store and the context are by then: the unsaved changes of its own
/// context, saves of all contexts of the container, and, within ``ModelConfiguration/StoreOptions/pollingInterval``,
/// writes of other programs. Whoever observes them (`withObservationTracking`, `Observations`) is told on the actor
/// that made the observer, once that actor's running code has returned or awaits something; then no more than one fetch
/// has run, however much was changed. An observer without an actor has nowhere to be told: it finds out when its
/// properties are read, and its observers are told then.
///
/// A write to tables that the query does not read runs no statement. After a write of this program that changed few
/// rows only those are asked for, by their keys; all is fetched again after writes of other programs, and where the
/// query has a limit or is about related models. A fetch that fails is logged and in ``fetchError``; the results
/// stay the last good ones. An observer that is released stops everything it caused.
///
/// `SectionTitle` is `Never` for results without sections. An observer belongs to its context's actor. Source:
/// SwiftData's `ResultsObserver`.
public final class ResultsObserver<Element, SectionTitle> where Element: PersistentModel, SectionTitle: Hashable {
  /// The context whose models the results are.
  public let modelContext: ModelContext
  let section: SectionKey<Element, SectionTitle>?
  let registrar = ObservationRegistrar()
  let signal: ChangeSignal
  /// The changes of the context, and of its parents if it is a draft.
  let edits: [ContextChanges]
  /// How far each of them was read.
  private(set) var readers: [ContextChanges.Reader] = []
  /// What the query reads.
  var tables: Set<String> = []
  /// The entities of these tables.
  var ordinals: Set<Int> = []
  /// How many changes of these there were at the last fetch.
  var seenCount = 0
  /// The columns that a row must change in for the results to be others; nil where any change has all fetched again.
  var watchedColumns: WatchedColumns?
  /// Which models may have other values than before the last change; nil when all may.
  var lastTouched: Set<ObjectIdentifier>?
  /// Models whose observers wait to be told that what others changed is there.
  var announced: [any PersistentModel] = []
  /// How often all was fetched, for tests.
  var fetchCount = 0
  var isRefreshing = false
  /// Whether the descriptor was changed meanwhile.
  var isOutdated = false

  var descriptor: FetchDescriptor<Element>
  var models: [Element] = []
  var shownResults = FetchResultsCollection<Element>([])
  var shownSections: SectionedResults<Element, SectionTitle>?
  var lastError: (any Error)?
  /// Another one whenever the results may be others, or their models' values.
  private(set) var version = 0
  /// The models that may have changed with each of the last versions, for those who read changes.
  private var touchedModels: [(version: Int, models: Set<ObjectIdentifier>)] = []
  /// The version that the first of them belongs behind.
  private var firstVersion = 0

  init(
    _ descriptor: FetchDescriptor<Element>, _ section: SectionKey<Element, SectionTitle>?, _ modelContext: ModelContext,
    _ isolation: (any Actor)?
  ) throws {
    self.modelContext = modelContext
    self.section = section
    self.descriptor = descriptor
    let core = modelContext.core
    signal = ChangeSignal(actor: isolation, own: core.layers[0])
    edits = core.observedChanges()
    self.descriptor.sortBy = completed(descriptor.sortBy)
    signal.attach(self)
    // Before the first fetch, so that nothing that is written meanwhile is missed.
    readers = edits.map { $0.add(signal, readsTouches: true) }
    core.store.tell(signal, isObserver: true)
    show(try fetch())
  }

  deinit {
    modelContext.store.observers.remove(signal)
    signal.wakeWaiters()
  }

  /// Tells those who wait for changes that there may be some: of these models, or nil for any.
  func noteChange(_ models: Set<ObjectIdentifier>? = nil) {
    version += 1
    touchedModels.append((version, models ?? []))
    if models == nil || touchedModels.count > Self.mostVersions || !signal.hasWaiters {
      (firstVersion, touchedModels) = (version, [])
    }
    signal.wakeWaiters()
  }

  /// For readers that are further behind all models are compared.
  private static var mostVersions: Int { 64 }

  /// The models that may have changed since a version; nil when all may.
  func models(touchedSince version: Int) -> Set<ObjectIdentifier>? {
    if version < firstVersion { return nil }
    return touchedModels.reduce(into: []) { if $1.version > version { $0.formUnion($1.models) } }
  }

  /// What is fetched; change it by ``filterBy`` and ``sortBy``.
  public var fetchDescriptor: FetchDescriptor<Element> {
    registrar.access(self, keyPath: \.fetchDescriptor)
    return descriptor
  }

  /// What the models must fulfil; nil for all. When the setter returns, the results are those of the new value.
  public var filterBy: Predicate<Element>? {
    get { fetchDescriptor.predicate }
    set { change { $0.predicate = newValue } }
  }

  /// The order of the models. When the setter returns, the results are in it.
  ///
  /// The order of the sections is put before it, unless it begins with the sections' property, and the identifier
  /// behind it, unless it is there. By identifier, models that were never saved come first.
  public var sortBy: [SortDescriptor<Element>] {
    get { fetchDescriptor.sortBy }
    set { change { $0.sortBy = completed(newValue) } }
  }

  /// The models, in their order. What is set is shown until the next change.
  public var results: FetchResultsCollection<Element> {
    get {
      registrar.access(self, keyPath: \.results)
      refresh()
      return shownResults
    }
    set {
      registrar.withMutation(of: self, keyPath: \.results) {
        shownResults = newValue
        models = Array(newValue)
        watchedColumns = nil
      }
      noteChange()
    }
  }

  /// The models in sections, ordered by their first models; nil without sections. What is set is shown until the next
  /// change.
  public var sections: SectionedResults<Element, SectionTitle>? {
    get {
      registrar.access(self, keyPath: \.sections)
      refresh()
      return shownSections
    }
    set {
      registrar.withMutation(of: self, keyPath: \.sections) {
        shownSections = newValue
        watchedColumns = nil
      }
      noteChange()
    }
  }

  /// The property that tells the section of a model; nil without sections.
  public var sectionBy: PartialKeyPath<Element>? { section?.keyPath }

  /// Why the last fetch failed; nil when it did not. The results are those of the last that did not fail.
  public var fetchError: (any Error)? {
    registrar.access(self, keyPath: \.fetchError)
    refresh()
    return lastError
  }

  /// The model at an index path of section and item; nil without sections, and where there is none.
  public func element(at indexPath: IndexPath) -> Element? {
    guard indexPath.count == 2, let sections, sections.indices.contains(indexPath[0]) else { return nil }
    let section = sections[indexPath[0]]
    return section.indices.contains(indexPath[1]) ? section[indexPath[1]] : nil
  }

  /// The section and item of a model; nil without sections, and when it is not among the results.
  public func indexPath(for element: Element) -> IndexPath? {
    guard let sections, let position = sections.models.firstIndex(where: { $0 === element }) else { return nil }
    let place = sections.place(of: position)
    return IndexPath(indexes: [place.section, place.item])
  }
}

extension ResultsObserver: Observable {}

extension ResultsObserver: CustomDebugStringConvertible {
  /// What is observed, and how much there was of it at the last fetch.
  public var debugDescription: String {
    let sections = shownSections.map { " in \($0.count) sections" } ?? ""
    let failure = lastError.map { ", fetchError: \($0)" } ?? ""
    return "ResultsObserver<\(Element.self)>(\(models.count) models\(sections)\(failure))"
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "an observer belongs to its context's actor")
extension ResultsObserver: @unchecked Sendable {}

extension ResultsObserver {
  /// The models at the last fetch, for tests.
  package var _shownModels: [Element] { models }

  /// How often all was fetched, for tests.
  package var _fetchCount: Int { fetchCount }

  /// How often the results may have become others, for tests.
  package var _changeCount: Int { version }
}

extension ModelContainer {
  /// How many observers are told of writes, for tests.
  package var _observerCount: Int { store.observers.observerCount }

  /// Whether every observer was told of the changes made so far, other programs' apart, for tests.
  package var _areObserversTold: Bool { store.observers.areTold }

  /// Whether writes of other programs are looked for, for tests.
  package var _isPolling: Bool { store.observers.isPolling }
}
