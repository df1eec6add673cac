import RoostEngine
import Synchronization

/// Which live object stands for which row in one context: pages of 32 raw pointers, found by `rowid >> 5`.
///
/// The map keeps no object alive. A model leaves it in its own deinit, which may run on any thread, so both sides
/// take the lock, and a lookup retains only what is not being destroyed.
final class IdentityMap: Sendable {
  private let entities: Mutex<Entities>
  /// The ordinal of each entity's root, whose keys it shares; nil when no class inherits from another.
  private let roots: [Int]?

  init(_ schema: SchemaInfo) {
    entities = Mutex(Entities(count: schema.entities.count))
    roots = schema.rootOrdinals
  }

  /// The pages of each entity, by its ordinal.
  // SAFETY: `entities` holds the only copy, under its lock, until `deinit`. A pointer and no array, as every model that
  // is made and freed comes by here, and an array is checked for other owners before each change.
  private struct Entities {
    private let pages: UnsafeMutablePointer<EntityPages>
    let count: Int

    init(count: Int) {
      self.count = count
      pages = .allocate(capacity: count)
      for index in 0..<count { (pages + index).initialize(to: EntityPages()) }
    }

    subscript(index: Int) -> EntityPages {
      _read { yield pages[index] }
      nonmutating _modify { yield &pages[index] }
    }

    func deallocate() {
      for index in 0..<count { pages[index].deallocate() }
      pages.deinitialize(count: count)
      pages.deallocate()
    }
  }

  @inline(__always)
  private func place(_ ordinal: Int) -> Int { roots?[ordinal] ?? ordinal }

  deinit {
    entities.withLock { $0.deallocate() }
  }

  /// The number of the page that a row is on.
  static func page(of key: Int64) -> Int64 { key >> 5 }

  /// The live object of a row, retained, or nil.
  func object(ordinal: Int, key: Int64) -> AnyObject? {
    entities.withLock { Self.retain($0[place(ordinal)].address(for: key)) }
  }

  /// The live objects of some rows, or nil, in the rows' order.
  func objects(ordinal: Int, keys: [Int64]) -> [AnyObject?] {
    let place = place(ordinal)
    return entities.withLock { entities in
      var found: [AnyObject?] = []
      found.reserveCapacity(keys.count)
      for key in keys { found.append(Self.retain(entities[place].address(for: key))) }
      return found
    }
  }

  /// Whether an object stands for the row; it may be on its way out.
  func contains(ordinal: Int, key: Int64) -> Bool {
    entities.withLock { $0[place(ordinal)].address(for: key) != 0 }
  }

  /// Whether no object stands for a row of the page.
  func isEmpty(ordinal: Int, page: Int64) -> Bool {
    entities.withLock { !$0[place(ordinal)].has(page) }
  }

  /// Whether no object stands for a row of the entity.
  func isEmpty(ordinal: Int) -> Bool {
    entities.withLock { $0[place(ordinal)].isEmpty }
  }

  /// Makes each object the one that stands for its row.
  func insert(_ objects: [(address: UInt, key: Int64)], ordinal: Int) {
    entities.withLock { $0[place(ordinal)].insert(objects) }
  }

  /// Makes `object` the one that stands for the row; the previous one, if any, is on its way out.
  func insert(_ object: UnsafeMutableRawPointer, ordinal: Int, key: Int64) {
    let address = UInt(bitPattern: object)
    entities.withLock { $0[place(ordinal)].insert(address, key: key) }
  }

  /// Forgets `object`, unless another object has taken its place.
  func remove(_ object: UnsafeMutableRawPointer, ordinal: Int, key: Int64) {
    let address = UInt(bitPattern: object)
    entities.withLock { $0[place(ordinal)].remove(address, key: key) }
  }

  func move(_ object: UnsafeMutableRawPointer, ordinal: Int, from oldKey: Int64, to newKey: Int64) {
    let address = UInt(bitPattern: object)
    let place = place(ordinal)
    entities.withLock { entities in
      entities[place].remove(address, key: oldKey)
      entities[place].insert(address, key: newKey)
    }
  }

  /// Forgets the models that some states are of.
  func remove(_ models: [_StateAddress]) {
    entities.withLock { entities in
      for model in models {
        guard let object = model.state.registered else { continue }
        entities[place(model.state.ordinal)].remove(UInt(bitPattern: object), key: model.state.key)
      }
    }
  }

  /// Gives new models the keys of their rows, those apart that stand for rows that were there before.
  func rekey(_ models: [_StateAddress], _ rows: [InsertedRow]) {
    entities.withLock { entities in
      for (model, row) in zip(models, rows) where !row.isMerged {
        guard let object = model.state.registered else { continue }
        let (address, place) = (UInt(bitPattern: object), place(model.state.ordinal))
        entities[place].remove(address, key: model.state.key)
        entities[place].insert(address, key: row.key)
        model.state.key = row.key
      }
    }
  }

  /// Live objects of an entity and its relatives, page by page from `key`'s on, the nearest first: at most `limit`.
  func neighbours(of key: Int64, ordinal: Int, limit: Int) -> [AnyObject] {
    let place = place(ordinal)
    return entities.withLock { entities in
      var found: [AnyObject] = []
      entities[place].forEach(around: key) { address in
        if let object = Self.retain(address) { found.append(object) }
        return found.count < limit
      }
      return found
    }
  }

  /// The number of live objects, for tests and diagnostics.
  var count: Int { entities.withLock { entities in (0..<entities.count).reduce(0) { $0 + entities[$1].count } } }

  private static func retain(_ address: UInt) -> AnyObject? {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    // SAFETY: an address in the map is that of an object whose deinit has not taken the lock yet, so its memory is
    // there; `tryRetain` refuses an object whose destruction has begun.
    guard let retained = tryRetain(pointer) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
  }
}
