/// One released version of a program's models.
///
/// ```swift
/// enum NotesV1: VersionedSchema {
///   static var models: [any PersistentModel.Type] { [Note.self] }
///   static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
/// }
/// ```
/// Source: SwiftData's `VersionedSchema`.
public protocol VersionedSchema: SendableMetatype {
  /// The model types of this version.
  static var models: [any PersistentModel.Type] { get }
  /// The version's number.
  static var versionIdentifier: Schema.Version { get }
}
