import RoostEngine
import Synchronization

/// Which live object stands for which row in one context: pages of 1,024 raw pointers, found by `rowid >> 10`.
///
/// The map keeps no object alive. A model leaves it in its own deinit, which may run on any thread, so both sides
/// take the lock, and a lookup retains only what is not being destroyed.
final class IdentityMap: Sendable {
  private let entities: Mutex<[EntityPages]>
  /// The ordinal of each entity's root, whose keys it shares; nil when no class inherits from another.
  private let roots: [Int]?

  init(_ schema: SchemaInfo) {
    entities = Mutex(schema.entities.map { _ in EntityPages() })
    roots = schema.rootOrdinals
  }

  @inline(__always)
  private func place(_ ordinal: Int) -> Int { roots?[ordinal] ?? ordinal }

  deinit {
    entities.withLock { entities in
      for index in entities.indices { entities[index].deallocate() }
    }
  }

  /// The number of the page that a row is on.
  static func page(of key: Int64) -> Int64 { key >> 10 }

  /// The live object of a row, retained, or nil.
  func object(ordinal: Int, key: Int64) -> AnyObject? {
    entities.withLock { Self.retain($0[place(ordinal)].address(for: key)) }
  }

  /// Whether an object stands for the row; it may be on its way out.
  func contains(ordinal: Int, key: Int64) -> Bool {
    entities.withLock { $0[place(ordinal)].address(for: key) != 0 }
  }

  /// Whether no object stands for a row of the page.
  func isEmpty(ordinal: Int, page: Int64) -> Bool {
    entities.withLock { !$0[place(ordinal)].has(page) }
  }

  /// Makes each object the one that stands for its row; all rows are on one page of one entity.
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

  /// Live objects of an entity and its relatives in key order, from `key`'s page on and round again: at most `limit`.
  func neighbours(of key: Int64, ordinal: Int, limit: Int) -> [AnyObject] {
    let place = place(ordinal)
    return entities.withLock { entities in
      var found: [AnyObject] = []
      entities[place].forEach(from: key) { address in
        if let object = Self.retain(address) { found.append(object) }
        return found.count < limit
      }
      return found
    }
  }

  /// The number of live objects, for tests and diagnostics.
  var count: Int { entities.withLock { $0.reduce(0) { $0 + $1.count } } }

  private static func retain(_ address: UInt) -> AnyObject? {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    // SAFETY: an address in the map is that of an object whose deinit has not taken the lock yet, so its memory is
    // there; `tryRetain` refuses an object whose destruction has begun.
    guard let retained = tryRetain(pointer) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
  }
}

/// The pages of one entity.
private struct EntityPages {
  // SAFETY: `IdentityMap` holds the only copy, under its lock. A page is allocated here, is found through `pages`, the
  // last ones and `emptyPages` alone, and is deallocated when it leaves them, by `deallocate`.

  /// 1,024 addresses, 0 where no object is alive, and behind them how many are not 0.
  private typealias Page = UnsafeMutablePointer<UInt>
  private static let capacity = 1024

  private var pages: [Int64: Page] = [:]
  /// Pages that no row is on any more, for the next ones: there are never more than were needed at once.
  private var emptyPages: [Page] = []
  /// Rows come in key order, so the page of the last access is nearly always the next one's too. Temporary keys have one
  /// of their own: a save moves each object from there to its row's key.
  private var lastPermanent = LastPage()
  private var lastTemporary = LastPage()

  private struct LastPage {
    var number: Int64 = 0
    var page: Page?
  }

  mutating func deallocate() {
    for page in pages.values { page.deallocate() }
    for page in emptyPages { page.deallocate() }
    (pages, emptyPages) = ([:], [])
    (lastPermanent, lastTemporary) = (LastPage(), LastPage())
  }

  var count: Int { pages.values.reduce(0) { $0 + Int($1[Self.capacity]) } }

  private mutating func page(_ number: Int64) -> Page? {
    let last = number < 0 ? lastTemporary : lastPermanent
    if last.number == number, let page = last.page { return page }
    guard let page = pages[number] else { return nil }
    note(number, page)
    return page
  }

  private mutating func note(_ number: Int64, _ page: Page?) {
    if number < 0 {
      lastTemporary = LastPage(number: number, page: page)
    } else {
      lastPermanent = LastPage(number: number, page: page)
    }
  }

  private mutating func makePage(_ number: Int64) -> Page {
    let page = emptyPages.popLast() ?? Self.allocatePage()
    pages[number] = page
    note(number, page)
    return page
  }

  private static func allocatePage() -> Page {
    let page = Page.allocate(capacity: capacity + 1)
    page.initialize(repeating: 0, count: capacity + 1)
    return page
  }

  mutating func has(_ number: Int64) -> Bool { page(number) != nil }

  mutating func address(for key: Int64) -> UInt {
    page(IdentityMap.page(of: key))?[Int(key & 1023)] ?? 0
  }

  mutating func insert(_ object: UInt, key: Int64) {
    let number = IdentityMap.page(of: key)
    Self.put(object, key, on: page(number) ?? makePage(number))
  }

  /// As for each alone; the page is looked up once.
  mutating func insert(_ objects: [(address: UInt, key: Int64)]) {
    guard let first = objects.first else { return }
    let number = IdentityMap.page(of: first.key)
    let page = page(number) ?? makePage(number)
    for (address, key) in objects { Self.put(address, key, on: page) }
  }

  private static func put(_ object: UInt, _ key: Int64, on page: Page) {
    let place = Int(key & 1023)
    if page[place] == 0 { page[capacity] += 1 }
    page[place] = object
  }

  mutating func remove(_ object: UInt, key: Int64) {
    let number = IdentityMap.page(of: key)
    guard let page = page(number), page[Int(key & 1023)] == object else { return }
    page[Int(key & 1023)] = 0
    page[Self.capacity] -= 1
    if page[Self.capacity] == 0 {
      pages[number] = nil
      note(number, nil)
      emptyPages.append(page)
    }
  }

  /// Calls `body` for each object until it returns false.
  func forEach(from key: Int64, _ body: (UInt) -> Bool) {
    let start = IdentityMap.page(of: key)
    let numbers = pages.keys.sorted()
    let split = numbers.firstIndex { $0 >= start } ?? 0
    for number in numbers[split...] + numbers[..<split] {
      guard let page = pages[number] else { continue }
      for index in 0..<Self.capacity where page[index] != 0 {
        if !body(page[index]) { return }
      }
    }
  }
}
