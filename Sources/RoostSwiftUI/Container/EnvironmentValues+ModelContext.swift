#if canImport(SwiftUI)
  public import RoostCore
  import RoostMigration
  public import SwiftUI

  extension EnvironmentValues {
    /// The context that views work in: that of `modelContainer` or `modelContext` around them.
    ///
    /// ```swift
    /// @Environment(\.modelContext) private var modelContext
    /// ```
    /// Without either it is a context in memory whose schema is empty: fetches and saves of models throw there, and say
    /// so. Source: SwiftData's `EnvironmentValues.modelContext`.
    public var modelContext: ModelContext {
      get { self[ModelContextKey.self] }
      set { self[ModelContextKey.self] = newValue }
    }
  }

  private enum ModelContextKey: EnvironmentKey {
    // SAFETY: made once, and used like any context of an environment: by views, which are the main actor's.
    nonisolated(unsafe) static let defaultValue = ModelContext(emptyContainer)

    private static let emptyContainer: ModelContainer = {
      do {
        return try ModelContainer(for: Schema(), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      } catch {
        // No data decides about this: there is no memory left for a store without tables.
        fatalError("A store in memory cannot be opened: \(error)")
      }
    }()
  }
#endif
