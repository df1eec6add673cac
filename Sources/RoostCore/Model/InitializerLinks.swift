import Foundation
import Synchronization

/// The relationships that a model's own initialiser sets before the model is whole.
///
/// An init accessor has no `self`, yet the other side must know the model at once: `Note(notebook: notebook)` is in
/// `notebook.notes` when the initialiser returns, and is saved with it even if nothing else holds the note. The state
/// that the accessor does have lies inside the model, at a distance from its start that is the same for every instance.
///
/// An initialiser that fails before it has set all properties frees the model, no matter who holds it. So nobody is
/// given one before: lists are shown without it, and no context inserts it (`_$isWhole`).
final class InitializerLinks {
  private let model: UnsafeMutableRawPointer
  // SAFETY: the model belongs to one context, so to one actor, and nothing that reads or
  // writes these calls out meanwhile.
  /// The models whose property `inverse` refers here.
  @exclusivity(unchecked) private var targets: [(model: any PersistentModel, inverse: Int)] = []
  /// The context that inserts the model as soon as anybody looks, and what its schema knows of the model.
  @exclusivity(unchecked) private var waiting: (core: ContextCore, entity: EntityInfo?)?

  private init(model: UnsafeMutableRawPointer) { self.model = model }

  /// Makes `target` know the model under initialisation, whose property `index` refers to it.
  static func link<Owner: PersistentModel>(
    _ state: inout _ModelState, _ owner: Owner.Type, _ index: Int, to target: any PersistentModel
  ) {
    // SAFETY: the state is a stored property that is never copied (`~Copyable`), so its address is that of the field
    // in the object, and the object starts `offset` bytes before. The object is alive: its initialiser is running. If
    // the initialiser fails after this, the state's deinit runs `unlink()` while the memory is still there; until all
    // properties are set, those that `unlink()` tells are the only ones who have a reference to the model.
    let links: InitializerLinks
    if let known = state.links {
      links = known
    } else {
      guard let offset = StateOffsets.offset(of: owner) else { return }
      links = InitializerLinks(model: UnsafeMutableRawPointer(_StateAddress(&state).pointer) - offset)
      state.links = links
    }
    let model = Unmanaged<Owner>.fromOpaque(links.model).takeUnretainedValue()
    if let core = target._$state.core, core.isAttached {
      if links.waiting == nil {
        links.waiting = (core, core.entity(for: owner))
        core.insertLater(model)
      }
      core.expectLink(target, links.waiting?.entity?.properties[index].relationship)
    } else if let property = model._$standaloneInfo(index), let relationship = property.relationship,
      let inverse = relationship.inverse
    {
      // Nobody else can have linked them, and the initialiser only if it sets the property again.
      let isNew = !property.isList && !links.targets.contains { $0.model === target && $0.inverse == inverse }
      links.targets.append((target, inverse))
      RelationshipLinker.linkInverse(of: model, key: 0, index, relationship, target, isNew: isNew)
    }
  }

  /// Has a context that a target enters meanwhile insert the model later.
  func wait(for core: ContextCore, _ target: any PersistentModel) {
    targets.removeAll { $0.model === target }
    // SAFETY: the model is alive, as `link` says.
    let object = Unmanaged<AnyObject>.fromOpaque(model).takeUnretainedValue()
    guard let model = object as? any PersistentModel else { return }
    if waiting == nil {
      waiting = (core, core.entity(for: type(of: model)))
      core.insertLater(model)
    }
    core.expectLink(target, nil)
  }

  /// Takes the model out of every place that knows it: its initialiser failed.
  func unlink() {
    waiting?.core.cancelInsert(model)
    // SAFETY: called from the model's own destruction, whose memory stays until it returns.
    let dying = Unmanaged<AnyObject>.fromOpaque(model).takeUnretainedValue()
    guard let dying = dying as? any PersistentModel else { return }
    for target in targets { target.model._$edit(target.inverse, .remove(dying, key: 0)) }
  }
}

extension PersistentModel {
  /// Whether the model's initialiser has set all properties; from then on the model lives as long as anybody holds it.
  var _$isWhole: Bool {
    guard _$state.links != nil, _$state.core == nil else { return true }
    let properties = SchemaInfo.standalone(Self.self)?.entity(for: Self.self)?.properties ?? []
    guard properties.allSatisfy({ _$edit($0.index, .collect).wasLoaded }) else { return false }
    _$state.links = nil
    return true
  }
}

/// How far from the start of an instance its `_$state` lies, one number a class.
private enum StateOffsets {
  private static let known = Mutex<[ObjectIdentifier: Int]>([:])

  /// Whether a sample is being made: a relationship whose default is a model is set in that one, too.
  @TaskLocal private static var isSampling = false

  /// nil for a sample, which nobody is to know.
  static func offset<Model: PersistentModel>(of type: Model.Type) -> Int? {
    if let offset = known.withLock({ $0[ObjectIdentifier(type)] }) { return offset }
    if isSampling { return nil }
    let sample = $isSampling.withValue(true) {
      var row = _RowReader()
      return Model(_$row: &row)
    }
    // SAFETY: the two addresses are only compared; nothing is read through them.
    let offset = UnsafeMutableRawPointer(sample._$stateAddress.pointer) - Unmanaged.passUnretained(sample).toOpaque()
    known.withLock { $0[ObjectIdentifier(type)] = offset }
    return offset
  }
}
