public import Foundation
public import RoostCore

// All of them fetch at once, and throw what the fetch does. `isolation` is where the observer's observers are told: the
// actor whose code makes it, unless another is given; nil for nowhere.

extension ResultsObserver where SectionTitle == Never {
  /// Observes what a descriptor asks for.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, nil, modelContext, isolation)
  }

  /// Observes the models that fulfil `filterBy`, in the order `sortBy`.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, modelContext, isolation)
  }

  /// Observes what a descriptor asks for, in a context of its own.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, nil, ModelContext(modelContainer), isolation)
  }

  /// Observes the models that fulfil `filterBy`, in the order `sortBy`, in a context of its own.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, ModelContext(modelContainer), isolation)
  }
}

extension ResultsObserver where SectionTitle == String {
  /// Observes what a descriptor asks for, with a section for each string.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String>,
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, SectionKey(sectionBy), modelContext, isolation)
  }

  /// Observes the models that fulfil `filterBy`, in the order `sortBy`, with a section for each string.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String>,
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), SectionKey(sectionBy), modelContext, isolation)
  }

  /// Observes what a descriptor asks for, in a context of its own, with a section for each string.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, SectionKey(sectionBy), ModelContext(modelContainer), isolation)
  }

  /// Observes the models that fulfil `filterBy`, in the order `sortBy`, with a section for each string.
  ///
  /// It has a context of its own.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), SectionKey(sectionBy), ModelContext(modelContainer),
      isolation)
  }

  /// Observes what a descriptor asks for, with a section for each string, "" for none.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String?>,
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, SectionKey(sectionBy), modelContext, isolation)
  }

  /// Observes the models that fulfil `filterBy`, in the order `sortBy`, with a section for each string, "" for none.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String?>,
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), SectionKey(sectionBy), modelContext, isolation)
  }

  /// Observes what a descriptor asks for, in a context of its own, with a section for each string, "" for none.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String?>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, SectionKey(sectionBy), ModelContext(modelContainer), isolation)
  }

  /// Observes the models that fulfil `filterBy`, in the order `sortBy`, with a section for each string, "" for none.
  ///
  /// It has a context of its own.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String?>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), SectionKey(sectionBy), ModelContext(modelContainer),
      isolation)
  }
}

extension ResultsObserver {
  /// Observes what a descriptor asks for, in sections of any key.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: SectionKey<Element, SectionTitle>,
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, sectionBy, modelContext, isolation)
  }

  /// Observes the models that fulfil `filterBy`, in the order `sortBy`, in sections of any key.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: SectionKey<Element, SectionTitle>,
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), sectionBy, modelContext, isolation)
  }

  /// Observes what a descriptor asks for, in a context of its own, in sections of any key.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: SectionKey<Element, SectionTitle>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, sectionBy, ModelContext(modelContainer), isolation)
  }

  /// Observes the models that fulfil `filterBy`, in the order `sortBy`, in a context of
  /// its own, in sections of any key.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: SectionKey<Element, SectionTitle>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), sectionBy, ModelContext(modelContainer), isolation)
  }
}
