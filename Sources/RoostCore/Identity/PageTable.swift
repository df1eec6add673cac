/// The pages of one entity by their numbers: a hash table with linear probing, whose one multiplication is the hash.
///
/// `Dictionary` guards against keys chosen by an attacker, at a price that is most of the work where each row is on a
/// page of its own. Rowids that are chosen to collide would make lookups slow, never wrong.
struct PageTable {
  // SAFETY: the owner's only copy is changed under its lock. `slots` has `mask + 1` initialised elements, and every
  // index is taken `& mask`; at least half of them have no page, so that every search ends.
  private var slots: UnsafeMutablePointer<Slot>?
  private var mask = 0
  private var shift: UInt64 = 64
  private(set) var count = 0

  private struct Slot {
    var number: Int64 = 0
    var page: EntityPages.Page?
  }

  private func home(_ number: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  func find(_ number: Int64) -> EntityPages.Page? {
    guard let slots else { return nil }
    var index = home(number)
    while let page = slots[index].page {
      if slots[index].number == number { return page }
      index = (index + 1) & mask
    }
    return nil
  }

  /// Adds a page whose number is not there yet.
  mutating func insert(_ page: EntityPages.Page, _ number: Int64) {
    if count * 2 >= mask { grow() }
    count += 1
    put(page, number)
  }

  private func put(_ page: EntityPages.Page, _ number: Int64) {
    guard let slots else { return }
    var index = home(number)
    while slots[index].page != nil { index = (index + 1) & mask }
    slots[index] = Slot(number: number, page: page)
  }

  mutating func remove(_ number: Int64) {
    guard let slots else { return }
    var hole = home(number)
    while slots[hole].number != number || slots[hole].page == nil {
      if slots[hole].page == nil { return }
      hole = (hole + 1) & mask
    }
    // Those behind the hole move up, unless they would come before their home.
    var index = (hole + 1) & mask
    while slots[index].page != nil {
      if (index - home(slots[index].number)) & mask >= (index - hole) & mask {
        slots[hole] = slots[index]
        hole = index
      }
      index = (index + 1) & mask
    }
    slots[hole].page = nil
    count -= 1
  }

  func forEach(_ body: (Int64, EntityPages.Page) -> Void) {
    guard let slots else { return }
    for index in 0...mask {
      if let page = slots[index].page { body(slots[index].number, page) }
    }
  }

  private mutating func grow() {
    let old = self
    let capacity = slots == nil ? 16 : (mask + 1) * 2
    let grown = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    grown.initialize(repeating: Slot(), count: capacity)
    (slots, mask, shift) = (grown, capacity - 1, UInt64(64 - capacity.trailingZeroBitCount))
    old.forEach { put($1, $0) }
    old.slots?.deallocate()
  }

  mutating func deallocate() {
    slots?.deallocate()
    self = PageTable()
  }
}
