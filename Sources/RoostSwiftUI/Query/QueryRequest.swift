#if canImport(SwiftUI)
  import RoostCore
  import RoostQuery

  /// What a query shows at a time.
  struct ShownResults<Element: PersistentModel, Result> {
    var results: Result
    var sections: SectionedResults<Element, String>
    var error: (any Error)?
  }

  /// What a query asks for, and how it is observed.
  @MainActor struct QueryRequest<Element: PersistentModel, Result> {
    let descriptor: FetchDescriptor<Element>
    let section: SectionKey<Element, String>?
    /// What is shown before anything was found.
    let nothing: ShownResults<Element, Result>
    /// Fetches, and returns what tells the results as they are from then on.
    let observe: @MainActor (ModelContext) throws -> @MainActor () -> ShownResults<Element, Result>

    /// Whether both ask for the same.
    func isSame(as other: QueryRequest) -> Bool {
      section?.keyPath == other.section?.keyPath && descriptor == other.descriptor
    }
  }

  extension QueryRequest where Result == [Element] {
    init(_ descriptor: FetchDescriptor<Element>) {
      self.init(
        descriptor: descriptor, section: nil, nothing: ShownResults(results: [], sections: SectionedResults())
      ) { context in
        let observer = try ResultsObserver(fetchDescriptor: descriptor, modelContext: context)
        return {
          ShownResults(
            results: Array(observer.results), sections: SectionedResults(), error: observer.fetchError)
        }
      }
    }
  }

  extension QueryRequest where Result == SectionedResults<Element, String> {
    init(_ descriptor: FetchDescriptor<Element>, _ section: SectionKey<Element, String>) {
      let nothing = SectionedResults<Element, String>()
      self.init(
        descriptor: descriptor, section: section, nothing: ShownResults(results: nothing, sections: nothing)
      ) { context in
        let observer = try ResultsObserver(
          fetchDescriptor: descriptor, sectionBy: section, modelContext: context)
        return {
          let sections = observer.sections ?? nothing
          return ShownResults(results: sections, sections: sections, error: observer.fetchError)
        }
      }
    }
  }
#endif
