/// The pages of one entity.
struct EntityPages {
  // SAFETY: `IdentityMap` holds the only copy, under its lock. A page is allocated here, is found through `pages`, the
  // last ones and `emptyPages` alone, and is deallocated with them, by `deallocate`.

  /// 32 addresses, 0 where no object is alive, and behind them how many are not 0.
  typealias Page = UnsafeMutablePointer<UInt>
  private static let capacity = 32

  private var pages = PageTable()
  /// Pages that no row is on any more, for the next ones: there are never more than were needed at once.
  private var emptyPages: [Page] = []
  /// Rows come in key order, so the page of the last access is nearly always the next one's too. Temporary keys have
  /// one of their own: a save moves each object from there to its row's key.
  private var lastPermanent = LastPage()
  private var lastTemporary = LastPage()

  private struct LastPage {
    var number: Int64 = 0
    var page: Page?
  }

  mutating func deallocate() {
    pages.forEach { $1.deallocate() }
    for page in emptyPages { page.deallocate() }
    pages.deallocate()
    emptyPages = []
    (lastPermanent, lastTemporary) = (LastPage(), LastPage())
  }

  var count: Int {
    var count = 0
    pages.forEach { count += Int($1[Self.capacity]) }
    return count
  }

  private mutating func page(_ number: Int64) -> Page? {
    let last = number < 0 ? lastTemporary : lastPermanent
    if last.number == number, let page = last.page { return page }
    guard let page = pages.find(number) else { return nil }
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
    pages.insert(page, number)
    note(number, page)
    return page
  }

  private static func allocatePage() -> Page {
    let page = Page.allocate(capacity: capacity + 1)
    page.initialize(repeating: 0, count: capacity + 1)
    return page
  }

  var isEmpty: Bool { pages.count == 0 }

  mutating func has(_ number: Int64) -> Bool { page(number) != nil }

  mutating func address(for key: Int64) -> UInt {
    page(IdentityMap.page(of: key))?[Int(key & 31)] ?? 0
  }

  mutating func insert(_ object: UInt, key: Int64) {
    let number = IdentityMap.page(of: key)
    Self.put(object, key, on: page(number) ?? makePage(number))
  }

  mutating func insert(_ objects: [(address: UInt, key: Int64)]) {
    for (address, key) in objects { insert(address, key: key) }
  }

  private static func put(_ object: UInt, _ key: Int64, on page: Page) {
    let place = Int(key & 31)
    if page[place] == 0 { page[capacity] += 1 }
    page[place] = object
  }

  mutating func remove(_ object: UInt, key: Int64) {
    let number = IdentityMap.page(of: key)
    guard let page = page(number), page[Int(key & 31)] == object else { return }
    page[Int(key & 31)] = 0
    page[Self.capacity] -= 1
    if page[Self.capacity] == 0 {
      pages.remove(number)
      note(number, nil)
      emptyPages.append(page)
    }
  }

  /// Calls `body` for each object until it returns false, page by page from `key`'s on, the nearest first.
  func forEach(around key: Int64, _ body: (UInt) -> Bool) {
    let start = IdentityMap.page(of: key)
    // Rows mostly lie side by side: their pages are found by their numbers, and not all need to be sorted.
    var rest = pages.count
    let reach = Int64(rest)
    for step in 0...(2 * rest) {
      let distance = Int64((step + 1) / 2)
      guard let page = pages.find(step % 2 == 0 ? start - distance : start + distance) else { continue }
      rest -= 1
      if !Self.forEach(on: page, body) || rest == 0 { return }
    }
    var others: [(distance: Int64, page: Page)] = []
    pages.forEach { number, page in
      let distance = abs(number - start)
      if distance > reach { others.append((distance, page)) }
    }
    others.sort { $0.distance < $1.distance }
    for (_, page) in others where !Self.forEach(on: page, body) { return }
  }

  /// Returns false once `body` does.
  private static func forEach(on page: Page, _ body: (UInt) -> Bool) -> Bool {
    for index in 0..<capacity where page[index] != 0 {
      if !body(page[index]) { return false }
    }
    return true
  }
}
