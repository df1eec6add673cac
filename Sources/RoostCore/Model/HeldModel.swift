/// How a model outside of every context holds another one.
package enum HeldModel {
  case linked(any PersistentModel)
  /// One that does not know of the owner yet.
  case unlinked(any PersistentModel)
  /// One that may hold the owner; it does not know of the owner yet either.
  case weak(WeakModel)

  var model: (any PersistentModel)? {
    switch self {
    case .linked(let model), .unlinked(let model): model
    case .weak(let box): box.model
    }
  }

  /// How a model that leaves its context holds the one that a key of its own referred to.
  ///
  /// Models that leave together must not hold each other in a circle. So each holds only those strongly that came into
  /// the context after it, as they were brought along, and those that have a row.
  init(_ model: any PersistentModel, key: Int64, ownerKey: Int64) {
    self = key > 0 || key < ownerKey ? .unlinked(model) : .weak(WeakModel(model))
  }
}

/// A weak reference in two words less than an optional existential has.
package final class WeakModel {
  private(set) weak var model: (any PersistentModel)?

  init(_ model: any PersistentModel) { self.model = model }
}
