public import Foundation

/// What went wrong, where, and what to do next.
///
/// Two errors are equal when they are of the same kind, whatever their details, so that a kind can be caught by name:
/// ```swift
/// do {
///   try context.fetch(descriptor)
/// } catch SwiftDataError.unsupportedPredicate {
///   …
/// }
/// ```
/// Source: SwiftData's `SwiftDataError`.
public struct SwiftDataError: Error, Hashable {
  package let code: Code
  /// Shared, so that an error that only names its kind costs no more than an enum.
  private let detail: Detail?

  private final class Detail: Sendable {
    let message: String?
    let model: String?
    let property: String?
    let row: PersistentIdentifier?
    let remedy: String?
    let underlying: (any Error)?
    let url: URL?
    let obstacles: [MigrationObstacle]
    let conflicts: [MergeConflict]

    init(
      message: String?, model: String?, property: String?, row: PersistentIdentifier?, remedy: String?,
      underlying: (any Error)?, url: URL?, obstacles: [MigrationObstacle] = [],
      conflicts: [MergeConflict] = []
    ) {
      self.message = message
      self.model = model
      self.property = property
      self.row = row
      self.remedy = remedy
      self.underlying = underlying
      self.url = url
      self.obstacles = obstacles
      self.conflicts = conflicts
    }
  }

  init(_ code: Code) {
    self.code = code
    detail = nil
  }

  package init(
    _ code: Code, _ message: String? = nil, model: String? = nil, property: String? = nil,
    row: PersistentIdentifier? = nil, remedy: String? = nil, underlying: (any Error)? = nil, url: URL? = nil
  ) {
    self.code = code
    detail = Detail(
      message: message, model: model, property: property, row: row, remedy: remedy, underlying: underlying, url: url)
  }

  package init(
    _ code: Code = .loadIssueModelContainer, obstacles: [MigrationObstacle], _ message: String, remedy: String,
    url: URL?
  ) {
    self.code = code
    detail = Detail(
      message: message, model: nil, property: nil, row: nil, remedy: remedy,
      underlying: nil, url: url, obstacles: obstacles)
  }

  package init(conflicts: [MergeConflict], _ message: String, remedy: String) {
    code = .mergeConflict
    let only = conflicts.count == 1 ? conflicts.first : nil
    detail = Detail(
      message: message, model: only?.persistentModelID.entityName,
      property: only?.propertyNames.count == 1 ? only?.propertyNames.first : nil, row: only?.persistentModelID,
      remedy: remedy, underlying: nil, url: nil, conflicts: conflicts)
  }

  /// What happened, in a sentence without the place and the remedy.
  public var message: String { detail?.message ?? code.message }

  /// The name of the model type concerned, when there is one.
  public var model: String? { detail?.model ?? row?.entityName }

  /// The name of the property concerned, when there is one.
  public var property: String? { detail?.property }

  /// The row concerned, when there is one.
  public var row: PersistentIdentifier? { detail?.row }

  /// What to do next, in a sentence.
  public var remedy: String? { detail?.remedy ?? code.remedy }

  /// The error of the layer below that led to this one.
  public var underlying: (any Error)? { detail?.underlying }

  /// The store's file, when the error is about the store as a whole; a store in memory has none.
  public var url: URL? { configurationURL.flatMap { ModelConfiguration.isInMemory($0) ? nil : $0 } }

  /// The same, or what stands for a store in memory.
  var configurationURL: URL? { detail?.url }

  /// What keeps a store from being brought to the program's schema; empty for other errors.
  public var obstacles: [MigrationObstacle] { detail?.obstacles ?? [] }

  /// The models that both a context and others changed; empty for other errors than ``mergeConflict``.
  public var conflicts: [MergeConflict] { detail?.conflicts ?? [] }

  /// Whether both errors are of the same kind. Their details are not compared.
  public static func == (lhs: SwiftDataError, rhs: SwiftDataError) -> Bool { lhs.code == rhs.code }

  /// Hashes the kind of error alone, as `==` compares it.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
