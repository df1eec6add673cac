public import Roost
import RoostCore
import RoostSQL

extension SyncConfiguration {
  /// Gives the function that merges an attribute with `@Attribute(.merge(.custom))`.
  ///
  /// ```swift
  /// sync.merge(\Note.text) { versions in versions.remote + "\n" + versions.local }
  /// ```
  /// The function is called when two devices changed the attribute, neither knowing of the other, on the device whose
  /// change came later to the server. What it returns is a change of that device. It is also called when a context has
  /// an unsaved edit and another change comes: ``SyncVersions/remote`` is then what is stored, and
  /// ``SyncVersions/local`` the edit. It must give the same for the same versions. It is called in the midst of a
  /// write: it must not wait for another thread, nor use the container.
  ///
  /// - Parameters:
  ///   - property: the attribute. A container is not made where it is merged by another rule, or not synced. A function
  ///     that it was given before is replaced.
  ///   - merge: gives the value, of what it was and what both devices made of it.
  public mutating func merge<Model: PersistentModel, Value>(
    _ property: any KeyPath<Model, Value> & Sendable, by merge: @escaping @Sendable (SyncVersions<Value>) -> Value
  ) {
    let made = MergeMaker(property, merge)
    merges.all.removeAll { $0 == made }
    merges.all.append(made)
  }
}

/// Functions of the program, which are equal where they are about the same properties.
struct MergeMakers: Hashable, Sendable {
  var all: [MergeMaker]
}

struct MergeMaker: Hashable, Sendable {
  private let path: String
  private let make: @Sendable (SchemaInfo) throws -> CustomMerge

  init<Model: PersistentModel, Value>(
    _ path: any KeyPath<Model, Value> & Sendable, _ merge: @escaping @Sendable (SyncVersions<Value>) -> Value
  ) {
    self.path = "\(path)"
    make = { schema in
      guard let property = schema.entity(for: Model.self)?.property(for: path),
        case .attribute(let codec) = property.kind
      else {
        throw SwiftDataError(
          .unsupportedKeyPath, "Only stored attributes can be merged; `\(path)` is not one.", model: "\(Model.self)",
          remedy: "Name a stored attribute of the model.")
      }
      return Self.merge(property, codec, merge)
    }
  }

  private static func merge<Codec: _AttributeCodec, Value>(
    _ property: PropertyInfo, _ codec: Codec.Type, _ merge: @escaping @Sendable (SyncVersions<Value>) -> Value
  ) -> CustomMerge {
    CustomMerge(model: property.owner.name, property: property.name) { ancestor, remote, local in
      guard let remote = codec.decode(remote) as? Value, let local = codec.decode(local) as? Value,
        let merged = merge(SyncVersions(ancestor: codec.decode(ancestor) as? Value, remote: remote, local: local))
          as? Codec.Value
      else { return nil }
      return try codec.encode(merged)
    }
  }

  func bound(to schema: SchemaInfo) throws -> CustomMerge { try make(schema) }

  static func == (left: Self, right: Self) -> Bool { left.path == right.path }
  func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
