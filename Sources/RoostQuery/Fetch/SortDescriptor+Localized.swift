public import RoostCore

#if !canImport(Darwin)
  public import Foundation

  extension String {
    /// A comparison of strings in the user's language, for sort descriptors.
    ///
    /// ```swift
    /// FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title, comparator: .localizedStandard)])
    /// ```
    /// Source: `String.StandardComparator`, of which Foundation has only `.lexical` off Apple platforms.
    public struct LocalizedComparator: Hashable, Sendable {
      fileprivate let isStandard: Bool

      /// Letters as the user's language orders them: `localizedCompare(_:)`.
      public static let localized = LocalizedComparator(isStandard: false)
      /// As file managers list names, with numbers by their value: `localizedStandardCompare(_:)`.
      public static let localizedStandard = LocalizedComparator(isStandard: true)
    }
  }

  // Foundation's descriptors only know values' own order. So the key path leads on to a value that has the other one.
  extension SortDescriptor where Compared: PersistentModel {
    /// Sorts by a string property in the order of the user's language.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: String.LocalizedComparator,
      order: SortOrder = .forward
    ) {
      if comparator.isStandard {
        self.init(keyPath.sendable(to: \.inLocalizedStandardOrder), order: order)
      } else {
        self.init(keyPath.sendable(to: \.inLocalizedOrder), order: order)
      }
    }

    /// Sorts by an optional string property in the order of the user's language; nil comes first.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: String.LocalizedComparator,
      order: SortOrder = .forward
    ) {
      if comparator.isStandard {
        self.init(keyPath.sendable(to: \.inLocalizedStandardOrder), order: order)
      } else {
        self.init(keyPath.sendable(to: \.inLocalizedOrder), order: order)
      }
    }
  }

  // As on Apple platforms, where the comparator of a string property has this default.
  extension SortDescriptor where Compared: PersistentModel {
    /// Sorts by a string property as file managers list names: "a2" before "a10", "é" beside "e", "b" before "C".
    ///
    /// An index on the property does not help. Where any order will do, `SortDescriptor(\.name, comparator: .lexical)`
    /// sorts by the bytes, and uses one.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
      self.init(keyPath, comparator: .localizedStandard, order: order)
    }

    /// Sorts by an optional string property as file managers list names; nil comes first.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
      self.init(keyPath, comparator: .localizedStandard, order: order)
    }
  }

  extension KeyPath {
    fileprivate func sendable<Next>(to step: any KeyPath<Value, Next> & Sendable) -> any KeyPath<Root, Next> & Sendable
    {
      // A key path is Sendable when what it captured is, and both parts are.
      appending(path: step).assumedSendable
    }
  }
#endif
