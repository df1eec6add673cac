import Foundation
import RoostSQL

// Whether a model's values are others than before, where keeping all of the former ones would cost too much: one number
// stands for them. Others have the same by chance alone, once in 2^64 changes.
extension PersistentModel {
  /// A number that is another one once the model's row holds other values, or would after a save.
  ///
  /// Attributes count and what single relationships refer to; lists are columns of other rows. What was not read is
  /// read. `indices` are the properties that count; nil for all.
  package func _$digest(of indices: [Int]? = nil) -> Int {
    let entity = _$state.core.map { $0.schema.entities[_$state.ordinal] }
    guard let properties = (entity ?? SchemaInfo.standalone(Self.self)?.entity(for: Self.self))?.properties else {
      return 0
    }
    var hasher = Hasher()
    for index in indices ?? Array(properties.indices) where properties.indices.contains(index) {
      if properties[index].isList { continue }
      // An edit may refer to a model whose row others have deleted since, which is shown as nobody.
      let isDangling = properties[index].relationship != nil && _$refersToGone(index)
      let digest = isDangling ? nil : digest(of: index)
      // A reference that there is no row to read from shows nobody, as one that was read.
      hasher.combine(properties[index].relationship == nil ? digest : digest ?? ToOneReference(key: 0).digest)
    }
    return hasher.finalize()
  }

  /// Whether a single relationship was set, here or in a context that this one is a draft of, to a model that others
  /// have deleted since.
  func _$refersToGone(_ index: Int) -> Bool {
    guard let core = _$state.core,
      core.parent != nil || _$state.changed.contains(index) || _$state.flags.contains(.inserted),
      let destination = core.schema.entities[_$state.ordinal].properties[index].relationship?.destination,
      let key = _$edit(index, .collect).keys.first,
      let target = core.existing(ordinal: destination.ordinal, key: key)
    else { return false }
    return target._$state.flags.contains(.vanished)
  }

  private func digest(of index: Int) -> Int? {
    if let digest = _$edit(index, .digest).digest { return digest }
    _$load(index)
    return _$edit(index, .digest).digest
  }
}

extension _AttributeCodec {
  /// Of what the store would hold: a type's own hash need not be about all of its value.
  static func digest(_ value: Value) -> Int {
    var hasher = Hasher()
    switch try? encode(value) {
    // Data's own hash is that of its first bytes.
    case .blob(let bytes)?: bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    case let stored?: hasher.combine(stored)
    // The store refuses it.
    case nil: hasher.combine("\(value)")
    }
    return hasher.finalize()
  }
}

extension ToOneReference {
  /// nil when it was not read.
  var digest: Int? {
    if let object { return ObjectIdentifier(object).hashValue }
    return isLoaded ? key.hashValue : nil
  }
}
