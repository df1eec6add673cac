import RoostEngine
import Synchronization

/// Which live object stands for which row in one context: pages of 1,024 raw pointers, found by `rowid >> 10`.
///
/// The map keeps no object alive. A model leaves it in its own deinit, which may run on any thread, so both sides
/// take the lock, and a lookup retains only what is not being destroyed.
final class IdentityMap: Sendable {
  private let entities: [EntityPages]
  private let lock = Mutex(())

  init(entityCount: Int) {
    entities = (0..<entityCount).map { _ in EntityPages() }
  }

  /// The number of the page that a row is on.
  static func page(of key: Int64) -> Int64 { key >> 10 }

  /// The live object of a row, retained, or nil.
  func object(ordinal: Int, key: Int64) -> AnyObject? {
    lock.withLock { _ in Self.retain(entities[ordinal].address(for: key)) }
  }

  /// Whether an object stands for the row; it may be on its way out.
  func contains(ordinal: Int, key: Int64) -> Bool {
    lock.withLock { _ in entities[ordinal].address(for: key) != 0 }
  }

  /// Whether no object stands for a row of the page.
  func isEmpty(ordinal: Int, page: Int64) -> Bool {
    lock.withLock { _ in !entities[ordinal].has(page) }
  }

  /// Makes `object` the one that stands for the row; the previous one, if any, is on its way out.
  func insert(_ object: UnsafeMutableRawPointer, ordinal: Int, key: Int64) {
    let address = UInt(bitPattern: object)
    lock.withLock { _ in entities[ordinal].insert(address, key: key) }
  }

  /// Forgets `object`, unless another object has taken its place.
  func remove(_ object: UnsafeMutableRawPointer, ordinal: Int, key: Int64) {
    let address = UInt(bitPattern: object)
    lock.withLock { _ in entities[ordinal].remove(address, key: key) }
  }

  func move(_ object: UnsafeMutableRawPointer, ordinal: Int, from oldKey: Int64, to newKey: Int64) {
    let address = UInt(bitPattern: object)
    lock.withLock { _ in
      entities[ordinal].remove(address, key: oldKey)
      entities[ordinal].insert(address, key: newKey)
    }
  }

  /// Live objects of an entity in key order, from `key`'s page on and round again: at most `limit`.
  func neighbours(of key: Int64, ordinal: Int, limit: Int) -> [AnyObject] {
    lock.withLock { _ in
      var found: [AnyObject] = []
      entities[ordinal].forEach(from: key) { address in
        if let object = Self.retain(address) { found.append(object) }
        return found.count < limit
      }
      return found
    }
  }

  /// The number of live objects, for tests and diagnostics.
  var count: Int { lock.withLock { _ in entities.reduce(0) { $0 + $1.count } } }

  private static func retain(_ address: UInt) -> AnyObject? {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    // SAFETY: an address in the map is that of an object whose deinit has not taken the lock yet, so its memory is
    // there; `tryRetain` refuses an object whose destruction has begun.
    guard let retained = tryRetain(pointer) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
  }
}

/// The pages of one entity.
private final class EntityPages: @unchecked Sendable {
  // SAFETY: `IdentityMap` is the only one to hold it, and calls it under its lock.
  private final class Page {
    /// 1,024 addresses, 0 where no object is alive.
    let entries = UnsafeMutablePointer<UInt>.allocate(capacity: 1024)
    var count = 0

    init() { entries.initialize(repeating: 0, count: 1024) }

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

  func has(_ number: Int64) -> Bool { page(number) != nil }

  func address(for key: Int64) -> UInt {
    page(key >> 10)?.entries[Int(key & 1023)] ?? 0
  }

  func insert(_ object: UInt, key: Int64) {
    let number = key >> 10
    let page =
      page(number)
      ?? {
        let page = Page()
        pages[number] = page
        last = (number, page)
        return page
      }()
    if page.entries[Int(key & 1023)] == 0 { page.count += 1 }
    page.entries[Int(key & 1023)] = object
  }

  func remove(_ object: UInt, key: Int64) {
    let number = key >> 10
    guard let page = page(number), page.entries[Int(key & 1023)] == object else { return }
    page.entries[Int(key & 1023)] = 0
    page.count -= 1
    if page.count == 0 {
      pages[number] = nil
      last = nil
    }
  }

  /// Calls `body` for each object until it returns false.
  func forEach(from key: Int64, _ body: (UInt) -> Bool) {
    let start = key >> 10
    let numbers = pages.keys.sorted()
    let split = numbers.firstIndex { $0 >= start } ?? 0
    for number in numbers[split...] + numbers[..<split] {
      guard let page = pages[number] else { continue }
      for index in 0..<1024 {
        let address = page.entries[index]
        if address != 0, !body(address) { return }
      }
    }
  }
}
