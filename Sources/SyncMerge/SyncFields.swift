/// Values by the numbers of their fields, in order.
///
/// One array instead of a dictionary: a row has few, and is read, merged and written as a whole. It is public because
/// the compiler specialises generic code of another module only if that is public.
@frozen public struct SyncFields<Value> {
  @usableFromInline var entries: [Entry]

  @frozen @usableFromInline struct Entry {
    @usableFromInline let key: Int
    @usableFromInline var value: Value

    @inlinable init(key: Int, value: Value) { (self.key, self.value) = (key, value) }
  }

  /// Has no values.
  @inlinable public init() { entries = [] }

  /// Takes values in any order; nil where two are of one field.
  init?(_ elements: [Element]) {
    entries = elements.map { Entry(key: $0.key, value: $0.value) }
    if !isAscending { entries.sort { $0.key < $1.key } }
    if !isAscending { return nil }
  }

  private var isAscending: Bool { entries.indices.dropFirst().allSatisfy { entries[$0 - 1].key < entries[$0].key } }

  /// Where a field's value is, or would be.
  @inlinable func place(of key: Int) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  @inlinable func has(_ key: Int, at place: Int) -> Bool { place < entries.count && entries[place].key == key }

  /// The value of a field; nil for none.
  @inlinable public subscript(key: Int) -> Value? {
    get {
      let place = place(of: key)
      return has(key, at: place) ? entries[place].value : nil
    }
    set {
      let place = place(of: key)
      switch (newValue, has(key, at: place)) {
      case (let value?, true): entries[place].value = value
      case (let value?, false): entries.insert(Entry(key: key, value: value), at: place)
      case (nil, true): entries.remove(at: place)
      case (nil, false): break
      }
    }
  }

  /// The value of a field, or another where it has none.
  @inlinable public subscript(key: Int, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    set { self[key] = newValue }
  }

  /// The numbers of the fields, in order.
  @inlinable public var keys: [Int] { entries.map { $0.key } }
  /// The values, in the order of their fields.
  @inlinable public var values: [Value] { entries.map { $0.value } }
  /// How many fields have a value.
  @inlinable public var count: Int { entries.count }
  /// Whether no field has a value.
  @inlinable public var isEmpty: Bool { entries.isEmpty }

  /// What values become, each of the same field.
  @inlinable public func mapValues<Other>(_ transform: (Value) throws -> Other) rethrows -> SyncFields<Other> {
    var mapped = SyncFields<Other>()
    mapped.entries = try entries.map { SyncFields<Other>.Entry(key: $0.key, value: try transform($0.value)) }
    return mapped
  }

  /// Those of some fields.
  @inlinable public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> SyncFields {
    var filtered = SyncFields()
    filtered.entries = try entries.filter { try isIncluded(($0.key, $0.value)) }
    return filtered
  }
}

extension SyncFields: Sequence {
  /// The number of a field, and its value.
  public typealias Element = (key: Int, value: Value)

  /// Goes through fields in order.
  @frozen public struct Iterator: IteratorProtocol {
    @usableFromInline var entries: IndexingIterator<[Entry]>

    @inlinable init(_ entries: [Entry]) { self.entries = entries.makeIterator() }

    /// The next field; nil at the end.
    @inlinable public mutating func next() -> Element? { entries.next().map { ($0.key, $0.value) } }
  }

  /// Goes through fields in order.
  @inlinable public func makeIterator() -> Iterator { Iterator(entries) }
}

extension SyncFields: ExpressibleByDictionaryLiteral {
  /// Takes values of fields, of several of one the last.
  @inlinable public init(dictionaryLiteral elements: (Int, Value)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}

extension SyncFields.Entry: Equatable where Value: Equatable {}
extension SyncFields.Entry: Hashable where Value: Hashable {}
extension SyncFields.Entry: Sendable where Value: Sendable {}
extension SyncFields: Equatable where Value: Equatable {}
extension SyncFields: Hashable where Value: Hashable {}
extension SyncFields: Sendable where Value: Sendable {}
