import Logging

// One-to-one relationships: whoever gets a partner takes it from the one who had it.
extension ContextCore {
  /// Has models let go of those that one-to-one relationships of this context gave to others.
  func detachFormerPartners() {
    if !schema.hasPartners || !pending.hasChanges { return }
    let above = parentReferrers()
    for model in pending.changedModels + pending.insertedModels {
      let isNew = model._$state.flags.contains(.inserted)
      for property in schema.partners[model._$state.ordinal]
      where isNew || model._$state.changed.contains(property.index) && model._$state.detachments[property.index] == nil
      {
        guard let relationship = property.relationship, let inverse = relationship.inverse else { continue }
        let partner = model._$edit(property.index, .collect).keys.first ?? 0
        if partner > 0 {
          let referrers = referrers(to: partner, through: property, above)
          detach(referrers, property.index, from: partner, except: model)
        }
        let other = existing(ordinal: relationship.destination.ordinal, key: partner)
        if model._$state.key > 0 {
          let back = relationship.destination.properties[inverse]
          let referrers = referrers(to: model._$state.key, through: back, above)
          detach(referrers, inverse, from: model._$state.key, except: other)
        }
        if let other, !attach(other, inverse, to: model._$state.key) { letGo(model, property.index) }
      }
    }
  }

  /// Has a model refer to the one that this context gave it. False if this context gave it another one.
  private func attach(_ partner: any PersistentModel, _ index: Int, to key: Int64) -> Bool {
    load(partner, index)
    if partner._$edit(index, .collect).keys == [key] { return true }
    let isSet = partner._$state.changed.contains(index) && partner._$state.detachments[index] == nil
    if isSet || partner._$state.flags.contains(.inserted) { return false }
    partner._$announce(index, willChange: true)
    pending.change(partner, index)
    partner._$edit(index, .restore(.toOne(ToOneReference(key: key))))
    partner._$announce(index, willChange: false)
    return true
  }

  /// Has a model refer to nobody: undone out of order, edits may leave two models with one partner. The one that the
  /// partner refers to keeps it.
  private func letGo(_ model: any PersistentModel, _ index: Int) {
    model._$announce(index, willChange: true)
    model._$edit(index, .restore(.toOne(ToOneReference(key: 0))))
    model._$announce(index, willChange: false)
  }

  /// Who refers to whom by a property: the keys of the referrers, by that of the other one.
  private typealias Referrers = [ObjectIdentifier: [Int64: [Int64]]]

  /// Those of a draft's parents, not saved yet.
  private func parentReferrers() -> Referrers {
    var referrers: Referrers = [:]
    for layer in layers where layer !== self {
      for model in layer.pending.changedModels + layer.pending.insertedModels {
        for property in schema.partners[model._$state.ordinal] {
          for key in model._$edit(property.index, .collect).keys {
            referrers[ObjectIdentifier(property.details), default: [:]][key, default: []].append(model._$state.key)
          }
        }
      }
    }
    return referrers
  }

  /// The models that refer to another one in the store, or in a draft's parents.
  private func referrers(
    to key: Int64, through property: PropertyInfo, _ above: Referrers
  ) -> [any PersistentModel] {
    do {
      let owner = property.owner
      let keys =
        try store.referrers(to: key, through: property) + (above[ObjectIdentifier(property.details)]?[key] ?? [])
      return owner.isMixed ? mixedModels(owner, keys) : keys.map { model(owner.type, ordinal: owner.ordinal, key: $0) }
    } catch {
      store.logger.error("Reading former partners failed", metadata: ["error": "\(error)"])
      return []
    }
  }

  private func detach(
    _ models: [any PersistentModel], _ index: Int, from key: Int64, except partner: (any PersistentModel)?
  ) {
    for model in models where model !== partner && !model._$state.changed.contains(index) {
      load(model, index)
      guard model._$edit(index, .collect).keys.contains(key) else { continue }
      model._$announce(index, willChange: true)
      pending.change(model, index)
      model._$edit(index, .restore(.toOne(ToOneReference(key: 0))))
      model._$state.noteDetachment(index, Detachment(owner: key, isByDeletion: false))
      model._$announce(index, willChange: false)
    }
  }
}
