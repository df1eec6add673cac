public import Foundation

/// What a store knows a context by.
///
/// Source: SwiftData's `EditingState`.
public struct EditingState: Identifiable, Sendable {
  /// The type of ``id``.
  public typealias ID = UUID

  /// Unique to the context.
  public let id: UUID
  /// Who is stamped on the history of the context's saves.
  public var author: String?

  /// Makes a state with an identity of its own.
  public init(author: String? = nil) {
    id = UUID()
    self.author = author
  }
}
