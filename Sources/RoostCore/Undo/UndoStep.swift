import RoostSQL

/// How everything that a group of changes touched was before it: what one undo restores.
///
/// States, not operations: whatever happened in the group, and in which order, is taken back by putting each slot, each
/// model and each link back where it was, and the same taken now is what redoes it.
final class UndoStep {
  struct Place: Hashable {
    let model: ObjectIdentifier
    let index: Int
  }

  struct Slot {
    var image: SlotImage
    /// Whether the property was among those that the next save would write.
    let wasChanged: Bool
    /// What the store had of the property before that change, where that is kept.
    let ancestor: SQLValue?
    /// Why a relationship was nil, if the other side had let go.
    let detachment: Detachment?
    /// Whether it was noted as the model was deleted, and is not changed otherwise.
    var isOfDeletion: Bool
  }

  struct Link {
    var wasLinked: Bool
    var isLinked: Bool
    /// What was pending for it.
    let pending: Bool?
    /// Whether it was noted as a model of it is to be deleted, and is not changed otherwise.
    var isOfDeletion: Bool
  }

  /// A model of the group.
  struct Touched {
    let model: any PersistentModel
    /// Whether it was in the context, and was to stay there.
    let wasPresent: Bool
    /// Whether it was in no context.
    let wasOutside: Bool
    /// Whether a delete rule was to delete it.
    let wasCascaded: Bool
    /// The key by which the others referred to it.
    var key: Int64
  }

  /// How many saves and rollbacks the context had seen: after another one, what was pending then is not any more.
  let epoch: Int
  /// In the order in which the group first touched them.
  private(set) var models: [Touched] = []
  private var places: [ObjectIdentifier: Int] = [:]
  private(set) var slots: [Place: Slot] = [:]
  private(set) var links: [JoinRow: Link] = [:]
  private var hasTemporaryKeys = false
  /// Whether lists may have members by a model that became the update of a row, and is not of the step any more.
  var hasMerged = false

  /// The store's saves that the context had seen when the step was made.
  let generation: Int

  init(epoch: Int, generation: Int) { (self.epoch, self.generation) = (epoch, generation) }

  /// Notes whether a model is in the context, unless that is known.
  func note(_ model: any PersistentModel, isPresent: Bool) {
    guard places[ObjectIdentifier(model)] == nil else { return }
    places[ObjectIdentifier(model)] = models.count
    let (key, isOutside) = (model._$state.key, model._$state.core == nil)
    let isCascaded = model._$state.flags.contains(.cascaded)
    models.append(
      Touched(model: model, wasPresent: isPresent, wasOutside: isOutside, wasCascaded: isCascaded, key: key))
    if model._$state.key < 0 { hasTemporaryKeys = true }
  }

  /// Leaves models alone: they became updates of rows that were there before.
  func forget(_ merged: Set<ObjectIdentifier>) {
    guard !merged.isDisjoint(with: places.keys) else { return }
    hasMerged = true
    models.removeAll { merged.contains(ObjectIdentifier($0.model)) }
    places = Dictionary(
      models.enumerated().map { (ObjectIdentifier($1.model), $0) }, uniquingKeysWith: { first, _ in first })
    slots = slots.filter { !merged.contains($0.key.model) }
  }

  /// Leaves links alone that were there before: with models that became updates of rows.
  func forget(_ known: Set<JoinRow>) { links = links.filter { !known.contains($0.key) } }

  func has(_ index: Int, of model: any PersistentModel) -> Bool {
    slots[Place(model: ObjectIdentifier(model), index: index)] != nil
  }

  /// Notes what a slot holds, unless that is known. `isOfDeletion`: because the model is to be deleted.
  func note(_ index: Int, of model: any PersistentModel, in core: ContextCore, isOfDeletion: Bool = false) {
    let place = Place(model: ObjectIdentifier(model), index: index)
    guard slots[place] == nil, var image = model._$edit(index, .capture).image else { return }
    var wasChanged = model._$state.changed.contains(index)
    // Without an inverse: nil as long as an earlier deletion of the target is not undone, which makes it refer there
    // again. A model that was to be deleted itself keeps the key: the deletion of the target may be why.
    if wasPresent(model) ?? core.has(model), model._$info(index)?.relationship?.inverse == nil,
      case .toOne(let reference) = image,
      let target = core.toGo(reference.key, of: model, index), wasPresent(target) != true
    {
      image = .toOne(ToOneReference(key: 0))
      wasChanged = true
    }
    note(model, isPresent: core.has(model))
    let state = (ancestor: model._$state.ancestors[index], detachment: model._$state.allDetachments[index])
    slots[place] = Slot(
      image: image, wasChanged: wasChanged, ancestor: state.ancestor, detachment: state.detachment,
      isOfDeletion: isOfDeletion)
    if image.hasTemporaryKeys { hasTemporaryKeys = true }
  }

  /// Lists that only grew before they were noted, and were not read.
  var unreadLists: [(model: any PersistentModel, index: Int)] {
    slots.compactMap { place, slot in
      guard case .toMany(let members) = slot.image, !members.isLoaded else { return nil }
      return model(at: place).map { ($0, place.index) }
    }
  }

  /// Notes that a slot changes which was noted before.
  func noteAgain(_ index: Int, of model: any PersistentModel) {
    let place = Place(model: ObjectIdentifier(model), index: index)
    slots[place]?.isOfDeletion = false
    // A list that has grown since it was noted, and was read now, may do more than grow.
    guard case .toMany(var noted) = slots[place]?.image, !noted.isLoaded,
      case .toMany(let now) = model._$edit(index, .capture).image, case .keys(let keys) = now.contents
    else { return }
    let added = Set(now.joined).subtracting(noted.joined)
    noted.contents = .keys(keys.filter { !added.contains($0) })
    slots[place]?.image = .toMany(noted)
    if noted.hasTemporaryKeys { hasTemporaryKeys = true }
  }

  /// Has relationships of a model that is to be deleted have one that goes along, and that others gave it after they
  /// were noted.
  ///
  /// Returns the join rows of these.
  func noteMember(_ model: any PersistentModel, of owner: any PersistentModel, in core: ContextCore) -> [JoinRow] {
    let (key, entity) = (model._$state.key, core.schema.entities[model._$state.ordinal])
    var rows: [JoinRow] = []
    for property in core.schema.entities[owner._$state.ordinal].relationships {
      let place = Place(model: ObjectIdentifier(owner), index: property.index)
      guard let relationship = property.relationship, entity.isKind(of: relationship.destination),
        owner._$edit(property.index, .collect).keys.contains(key), let image = slots[place]?.image
      else { continue }
      switch image {
      case .toMany(var noted):
        guard case .keys(let keys) = noted.contents, !keys.contains(key) else { continue }
        noted.contents = .keys(keys + [key])
        slots[place]?.image = .toMany(noted)
        if let row = JoinRow(relationship, owner._$state.key, key) { rows.append(row) }
      case .toOne: slots[place]?.image = .toOne(ToOneReference(key: key))
      case .attribute: continue
      }
    }
    return rows
  }

  /// Notes that a link is made or removed; only what it was before the first time counts.
  func note(_ row: JoinRow, wasLinked: Bool, isLinked: Bool, pending: Bool?, isOfDeletion: Bool = false) {
    if var link = links[row] {
      link.isLinked = isLinked
      if !isOfDeletion { link.isOfDeletion = false }
      links[row] = link
    } else {
      links[row] = Link(wasLinked: wasLinked, isLinked: isLinked, pending: pending, isOfDeletion: isOfDeletion)
      if row.keys.0 < 0 || row.keys.1 < 0 { hasTemporaryKeys = true }
    }
  }

  /// Whether a model was in the context, and was to stay there, when the group first touched it; nil if it has not.
  func wasPresent(_ model: any PersistentModel) -> Bool? {
    places[ObjectIdentifier(model)].map { models[$0].wasPresent }
  }

  func model(at place: Place) -> (any PersistentModel)? { places[place.model].map { models[$0].model } }

  /// Replaces temporary keys by those that a save handed out.
  func replaceKeys(_ permanent: PermanentKeys) {
    guard hasTemporaryKeys else { return }
    slots = slots.mapValues { slot in
      var slot = slot
      slot.image = slot.image.mapKeys { permanent[$0] }
      return slot
    }
    links = Dictionary(links.map { ($0.with(permanent), $1) }, uniquingKeysWith: { _, last in last })
    for place in models.indices { models[place].key = permanent[models[place].key] }
    hasTemporaryKeys =
      models.contains { $0.key < 0 } || slots.values.contains { $0.image.hasTemporaryKeys }
      || links.keys.contains { $0.keys.0 < 0 || $0.keys.1 < 0 }
  }

  /// Has all that referred to a model by its former key refer to it by another.
  func replace(_ replacement: KeyReplacement, _ schema: SchemaInfo) {
    // A model may be outside, where it knows another schema's entities.
    func entity(_ model: any PersistentModel) -> EntityInfo? { schema.entity(for: type(of: model)) }
    for (place, slot) in slots {
      let destination = model(at: place).flatMap(entity)?.properties[place.index].relationship?.destination
      slots[place]?.image = replacement.image(slot.image, destination)
    }
    links = Dictionary(
      links.map { (replacement.joinRow($0, schema), $1) }, uniquingKeysWith: { _, last in last })
    for place in models.indices { models[place].key = replacement.key(models[place].key, entity(models[place].model)) }
    if replacement.key < 0 { hasTemporaryKeys = true }
  }
}
