import Foundation
import Logging
import Observation
import RoostCore

extension ResultsObserver: ChangeObserver {
  package func changesArrived() {
    for edits in edits { edits.observersLook() }
    if signal.takeOthersWrote() { modelContext.noticeOtherSaves() }
    refresh()
  }

  /// Fetches again if anything changed that the results may depend on.
  func refresh() {
    // A context that is taking a save over has models of which rows and keys do not agree yet.
    if isRefreshing || modelContext.isAdopting { return }
    for layer in modelContext.core.layers { layer.insertWaiting() }
    let written = signal.takeWritten()
    if !written.tables.isEmpty || changeCount != seenCount { bringUpToDate(written) }
  }

  var changeCount: Int { edits.reduce(0) { $0 + $1.count(of: ordinals) } }

  /// Changes the descriptor and fetches.
  func change(_ body: (inout FetchDescriptor<Element>) -> Void) {
    registrar.withMutation(of: self, keyPath: \.fetchDescriptor) { body(&descriptor) }
    // Somebody who is being told of other results asks for these: they come next.
    watchedColumns = nil
    if isRefreshing { isOutdated = true } else { bringUpToDate(signal.takeWritten()) }
  }

  /// - Parameter written: what others wrote, so that models have values that their observers do not know.
  private func bringUpToDate(_ written: OthersWrites) {
    // Those who are told may look at the results, which are then still the former ones.
    isRefreshing = true
    var written = written
    lastTouched = nil
    isOutdated = false
    // A failure is told by the fetch, which fails as well.
    let isPlaced = (try? placeChanges(&written)) ?? false
    for model in announced { model._$announceAll(willChange: false) }
    announced = []
    var tables = written.tables
    if !isPlaced { isOutdated = true }
    while isOutdated {
      isOutdated = false
      lastTouched = nil
      replaceResults(tables)
      tables = []
    }
    isRefreshing = false
    noteChange(lastTouched)
  }

  private func replaceResults(_ written: Set<String>) {
    let core = modelContext.core
    // What the parent of a draft changes is new to the draft's models too.
    let unknown = core.parent == nil ? written : tables
    let others = unknown.subtracting([table])
    // Models of other entities are part of the results in that a predicate, an order or a section is about them.
    let reached = others.isEmpty ? [] : core.storedModels(of: others)
    core.tellingChanges(of: unknown.isEmpty ? [] : models + reached) { fetchAgain(written, others) }
  }

  private func fetchAgain(_ written: Set<String>, _ others: Set<String>) {
    let core = modelContext.core
    do {
      try core.readAgain(of: others)
      let found = try fetch()
      if !written.isEmpty || found.sections != shownSections || !found.models.isSame(as: models) {
        if !written.isEmpty {
          let kept = Set(found.models.map(ObjectIdentifier.init))
          try core.readAgain(models.filter { !kept.contains(ObjectIdentifier($0)) })
        }
        registrar.willSet(self, keyPath: \.results)
        if section != nil { registrar.willSet(self, keyPath: \.sections) }
        show(found)
        if section != nil { registrar.didSet(self, keyPath: \.sections) }
        registrar.didSet(self, keyPath: \.results)
      }
      if lastError != nil { registrar.withMutation(of: self, keyPath: \.fetchError) { lastError = nil } }
    } catch {
      modelContext.store.logger.error(
        "Observing failed; the results stay as they were",
        metadata: ["model": "\(Element.self)", "error": "\(error)"])
      registrar.withMutation(of: self, keyPath: \.fetchError) { lastError = error }
    }
  }

  var table: String { modelContext.store.schema.entity(for: Element.self)?.table ?? "" }

  struct Found {
    let models: [Element]
    let sections: SectionedResults<Element, SectionTitle>?
  }

  func fetch() throws -> Found {
    let (entity, query) = try modelContext.query(descriptor, sectionBy: section?.keyPath)
    tables = query.usesTables
    signal.watch(tables)
    ordinals = Set(modelContext.store.schema.entities.filter { tables.contains($0.table) }.map(\.ordinal))
    watchedColumns = watchedColumns(query)
    _ = takeTouches()
    fetchCount += 1
    return found(try modelContext.fetch(descriptor, entity, query))
  }

  /// Models in their order, in sections if there are any.
  func found(_ models: [Element]) -> Found {
    guard let section else { return Found(models: models, sections: nil) }
    let sections = SectionedResults(models, by: section)
    // Models that were put together are not in the query's order any more.
    if !sections.isInQueryOrder { watchedColumns = nil }
    return Found(models: sections.models, sections: sections)
  }

  func show(_ found: Found) {
    models = found.models
    shownResults = FetchResultsCollection(found.models)
    shownSections = found.sections
  }

  /// Descriptors with those that every observer needs.
  func completed(_ descriptors: [SortDescriptor<Element>]) -> [SortDescriptor<Element>] {
    var descriptors = descriptors
    if let section, !section.leads(descriptors) { descriptors = section.order + descriptors }
    let entity = modelContext.store.schema.entity(for: Element.self)
    if !descriptors.contains(where: { $0.keyPath.flatMap { entity?.isIdentity($0) } ?? false }) {
      descriptors.append(SortDescriptor((\Element.persistentModelID).assumedSendable))
    }
    return descriptors
  }
}
