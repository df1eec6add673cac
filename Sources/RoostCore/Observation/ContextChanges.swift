/// Counts the pending changes of a context by entity, and keeps which models they were of, while somebody observes it.
package final class ContextChanges {
  /// A change of a model.
  package struct Touch {
    package let model: any PersistentModel
    /// What has changed; nil for the model as a whole: whether there is one, and by which identifier.
    package let properties: PropertySet?
    /// The relationships without an inverse that may show other models by it, as it is to be deleted, or not any more.
    package let referrers: [PropertyInfo]
  }

  /// How far an observer has read the changes.
  package final class Reader {
    fileprivate weak var signal: ChangeSignal?
    /// nil when it has missed some, or reads none.
    fileprivate var position: Int?

    fileprivate init(_ signal: ChangeSignal, _ position: Int?) { (self.signal, self.position) = (signal, position) }
  }

  /// Of more models nobody wants to know each.
  private static let mostTouches = 1_024

  private let schema: SchemaInfo
  private var counts: [Int]
  private var readers: [Reader] = []
  /// The changes that some observer has not read, and how many there were before.
  private var touches: [Touch] = []
  private var firstTouch = 0
  /// How many are to read the first of them; none where all who read them have missed some.
  private var lastReaders = 0
  /// Whether the observers have been told since they last looked: once is enough for all edits of a turn.
  private var isAnnounced = false

  init(_ schema: SchemaInfo) {
    self.schema = schema
    counts = Array(repeating: 0, count: schema.entities.count)
  }

  /// `readsTouches`: whether it will take changes of models one by one, by the reader that is returned.
  @discardableResult
  package func add(_ signal: ChangeSignal, readsTouches: Bool = false) -> Reader {
    let reader = Reader(signal, readsTouches ? lastTouch : nil)
    readers.append(reader)
    letGo()
    isAnnounced = false
    return reader
  }

  /// A number that is another one after changes of one of the entities.
  package func count(of ordinals: Set<Int>) -> Int { ordinals.reduce(0) { $0 + counts[$1] } }

  private var lastTouch: Int { firstTouch + touches.count }

  /// The changes of models since the reader's observer last asked; nil when any may have changed.
  package func takeTouches(for reader: Reader) -> [Touch]? {
    let new = reader.position.map { Array(touches[($0 - firstTouch)...]) }
    if reader.position == firstTouch { lastReaders -= 1 }
    reader.position = lastTouch
    if touches.isEmpty { lastReaders += 1 }
    // For the last of them alone: to look through all readers for each would take the square of their number.
    if lastReaders == 0 { letGo() }
    return new
  }

  /// Lets go of observers that are gone, and of the changes that all others have read.
  private func letGo() {
    readers.removeAll { $0.signal == nil }
    let positions = readers.compactMap(\.position)
    let first = positions.min() ?? lastTouch
    touches.removeFirst(first - firstTouch)
    firstTouch = first
    lastReaders = positions.count { $0 == first }
  }

  /// Has everybody who reads changes take any model for changed. What was kept of models is let go.
  func forgetTouches() {
    for reader in readers { reader.position = nil }
    (firstTouch, touches, lastReaders) = (lastTouch, [], 0)
  }

  private func touch(_ model: any PersistentModel, _ properties: PropertySet?, _ referrers: [PropertyInfo] = []) {
    guard lastReaders > 0 else { return }
    if touches.count == Self.mostTouches { return forgetTouches() }
    touches.append(Touch(model: model, properties: properties, referrers: referrers))
  }

  func note(_ model: any PersistentModel, _ properties: PropertySet? = nil) {
    counts[model._$state.ordinal] += 1
    touch(model, properties)
    announce()
  }

  /// Notes that a model is to be deleted, or not any more. Models that refer to it without an inverse are not changed
  /// by that, and yet show something else.
  func noteDeletion(_ model: any PersistentModel) {
    let entity = schema.entities[model._$state.ordinal]
    counts[entity.ordinal] += 1
    for referrer in entity.unknownReferrers { counts[referrer.owner.ordinal] += 1 }
    touch(model, nil, entity.unknownReferrers)
    announce()
  }

  func note(_ row: JoinRow) {
    guard let table = schema.joinTables.first(where: { $0.name == row.table }) else { return }
    counts[table.owner.ordinal] += 1
    counts[table.destination.ordinal] += 1
    announce()
  }

  /// Notes that any row of some tables may have changed.
  func note(_ tables: Set<String>) {
    if tables.isEmpty { return }
    for entity in schema.entities where tables.contains(entity.table) { counts[entity.ordinal] += 1 }
    forgetTouches()
    announce()
  }

  /// Has the observers look soon.
  func announce() {
    if isAnnounced { return }
    isAnnounced = true
    for reader in readers { reader.signal?.schedule() }
  }

  /// An observer is looking: the next change is news again.
  package func observersLook() {
    if !isAnnounced { return }
    isAnnounced = false
    letGo()
  }
}

extension ContextCore {
  /// The changes of this context and of those it shows the changes of, counted from now on.
  package func observedChanges() -> [ContextChanges] {
    layers.map { layer in
      if let changes = layer.pending.observed { return changes }
      let changes = ContextChanges(schema)
      layer.pending.observed = changes
      return changes
    }
  }
}
