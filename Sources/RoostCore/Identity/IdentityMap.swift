import Synchronization

/// Which live object stands for which row in one context: pages of 1,024 raw pointers, found by `rowid >> 10`.
///
/// The map keeps no object alive. A model leaves it in its own deinit, which may run on any thread, so both sides
/// take the lock, and a lookup retains only what is not being destroyed.
final class IdentityMap: Sendable {
  private let entities: Mutex<[EntityPages]>

  init(entityCount: Int) {
    entities = Mutex((0..<entityCount).map { _ in EntityPages() })
  }

  /// The live object of a row, retained, or nil.
  func object(ordinal: Int, key: Int64) -> AnyObject? {
    entities.withLock { entities in
      guard let pointer = entities[ordinal].pointer(for: key) else { return nil }
      return Self.retain(pointer)
    }
  }

  /// Whether an object stands for the row; it may be on its way out.
  func contains(ordinal: Int, key: Int64) -> Bool {
    entities.withLock { $0[ordinal].pointer(for: key) != nil }
  }

  /// Makes `object` the one that stands for the row; the previous one, if any, is on its way out.
  func insert(_ object: UnsafeMutableRawPointer, ordinal: Int, key: Int64) {
    entities.withLock { $0[ordinal].insert(object, key: key) }
  }

  /// Forgets `object`, unless another object has taken its place.
  func remove(_ object: UnsafeMutableRawPointer, ordinal: Int, key: Int64) {
    entities.withLock { $0[ordinal].remove(object, key: key) }
  }

  /// Live objects of an entity in key order, from `key`'s page on and round again: at most `limit`.
  func neighbours(of key: Int64, ordinal: Int, limit: Int) -> [AnyObject] {
    entities.withLock { entities in
      var found: [AnyObject] = []
      entities[ordinal].forEach(from: key) { pointer in
        if let object = Self.retain(pointer) { found.append(object) }
        return found.count < limit
      }
      return found
    }
  }

  /// The number of live objects, for tests and diagnostics.
  var count: Int { entities.withLock { $0.reduce(0) { $0 + $1.count } } }

  private static func retain(_ pointer: UnsafeMutableRawPointer) -> AnyObject? {
    // SAFETY: a pointer in the map is that of an object whose deinit has not taken the lock yet, so its memory is
    // there; `swift_tryRetain` refuses an object whose destruction has begun.
    guard let retained = tryRetain(pointer) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
  }
}

// SAFETY: the runtime's own entry for weak loads: a strong reference, or nil once the object's destruction has begun.
@_silgen_name("swift_tryRetain")
private func tryRetain(_ object: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

/// The pages of one entity.
private final class EntityPages {
  private final class Page {
    /// 1,024 entries, nil where no object is alive.
    let entries = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1024)
    var count = 0

    init() { entries.initialize(repeating: nil, count: 1024) }

    deinit { entries.deallocate() }
  }

  private var pages: [Int64: Page] = [:]
  /// Rows come in key order, so the page of the last access is nearly always the next one's too.
  private var last: (number: Int64, page: Page)?

  var count: Int { pages.values.reduce(0) { $0 + $1.count } }

  private func page(_ number: Int64) -> Page? {
    if let last, last.number == number { return last.page }
    guard let page = pages[number] else { return nil }
    last = (number, page)
    return page
  }

  func pointer(for key: Int64) -> UnsafeMutableRawPointer? {
    page(key >> 10)?.entries[Int(key & 1023)]
  }

  func insert(_ object: UnsafeMutableRawPointer, key: Int64) {
    let number = key >> 10
    let page = page(number) ?? {
      let page = Page()
      pages[number] = page
      last = (number, page)
      return page
    }()
    if page.entries[Int(key & 1023)] == nil { page.count += 1 }
    page.entries[Int(key & 1023)] = object
  }

  func remove(_ object: UnsafeMutableRawPointer, key: Int64) {
    let number = key >> 10
    guard let page = page(number), page.entries[Int(key & 1023)] == object else { return }
    page.entries[Int(key & 1023)] = nil
    page.count -= 1
    if page.count == 0 {
      pages[number] = nil
      last = nil
    }
  }

  /// Calls `body` for each object until it returns false.
  func forEach(from key: Int64, _ body: (UnsafeMutableRawPointer) -> Bool) {
    let start = key >> 10
    let numbers = pages.keys.sorted()
    let split = numbers.firstIndex { $0 >= start } ?? 0
    for number in numbers[split...] + numbers[..<split] {
      guard let page = pages[number] else { continue }
      for index in 0..<1024 {
        if let pointer = page.entries[index], !body(pointer) { return }
      }
    }
  }
}
