package import Foundation
import RoostSQL

/// One edit of a slot whose type the editor does not know: linking the inverse side, entering and leaving
/// a context, replacing temporary keys. Attributes only know whether they were read, and how to be
/// forgotten, captured and restored.
///
/// What an edit does is a method of what it edits, ``ToOneReference`` or ``ToManyMembers``.
@_documentation(visibility: private)
public struct _SlotEdit {
  package enum Operation {
    /// Make the slot refer to the model, by its key if it is in a context (0: it is in none). A to-one slot forgets its
    /// old target. The key is passed because the model may be in its initialiser or its deinit, its state in use.
    ///
    /// `isNew`: whether the model did not refer to the slot's owner until now.
    case add(Borrowed, key: Int64, isNew: Bool)
    case remove(Borrowed, key: Int64)
    /// Replace models by their keys, and report the models: the owner entered a context.
    case enterContext
    /// Replace keys by models, which need not know of the owner any more: it left its context.
    case leaveContext((Int64) -> HeldModel?)
    /// Become nil or empty, outside of any context.
    case clear
    /// All pending changes are stored: replace temporary keys by those of the rows.
    case endSave(PermanentKeys)
    /// Report the slot's key or keys, or its models.
    case collect
    case setKeys([Int64])
    /// Report the keys of those that joined a list since the last save.
    case collectJoined
    /// Note that models came to the end of the list, or anywhere, and that others left it.
    ///
    /// `count`: how many the list was given. Those behind were brought along by what entered the context with it.
    case join([Int64], leaving: [Int64], count: Int, isRearranged: Bool)
    /// The order of the list is that of the store.
    case endOrder
    /// Note that the context has the list's members.
    case keep
    /// Forget the members read, so that the next access reads the store.
    case forgetMembers
    /// Forget whatever was read or set.
    case unload
    /// Report the slot as it is.
    case capture
    /// Make the slot what it was when it was captured.
    ///
    /// An image holds a value of any type, and whatever has one inside is copied by calls through its metadata.
    indirect case restore(SlotImage)
    /// Take the value that these bytes of its file are.
    case fill(Data)
    /// Report a number that is another one for another value.
    case digest
    /// Report what the column holds, or would after a save.
    case column
    /// The same with an attribute's value in place of the name of its file, where that was read.
    case content
  }

  /// A model that whoever edits holds meanwhile. Not counted, as each edit copies what it is to do several times.
  package struct Borrowed {
    // SAFETY: an edit ends before the call that was given the model returns.
    unowned(unsafe) let model: any PersistentModel
  }

  let operation: Operation
  var found = Found.nothing
  @usableFromInline package var wasLoaded = false
  /// Whether the models found do not know of the owner yet.
  var isUnlinked = false
  /// Whether a list's order is another than the store's with those that joined behind.
  private(set) var isRearranged = false
  /// Whether the context may have a list's members.
  private(set) var isKept = false

  init(_ operation: Operation) { self.operation = operation }

  /// What `.collect` found, and what a to-one slot let go of in `.add`. An enum, because
  /// most edits find nothing or one.
  enum Found {
    case nothing
    case key(Int64)
    case keys([Int64])
    case model(any PersistentModel)
    case models([any PersistentModel])
    indirect case image(SlotImage)
    case file(ExternalName)
    case digest(Int)
    case column(SQLValue)
  }

  /// What `.capture` found.
  var image: SlotImage? {
    if case .image(let image) = found { image } else { nil }
  }

  /// The file that an attribute's value is still to be read from.
  var file: ExternalName? {
    if case .file(let name) = found { name } else { nil }
  }

  /// What `.digest` found; nil for a list, and for what was not read.
  var digest: Int? {
    if case .digest(let digest) = found { digest } else { nil }
  }

  /// What `.column` or `.content` found; nil for a list, and for what was not read or the store refuses.
  var column: SQLValue? {
    if case .column(let value) = found { value } else { nil }
  }

  package var keys: [Int64] {
    switch found {
    case .key(let key): [key]
    case .keys(let keys): keys
    default: []
    }
  }

  package var models: [any PersistentModel] {
    switch found {
    case .model(let model): [model]
    case .models(let models): models
    default: []
    }
  }

  /// Calls `body` with each model found.
  func forEachModel(_ body: (any PersistentModel) -> Void) {
    if case .model(let model) = found { body(model) } else { models.forEach(body) }
  }
}

extension _SlotEdit.Operation {
  /// Whether a slot in a context may refer to others afterwards than it did.
  var refersAnew: Bool {
    switch self {
    case .add, .enterContext, .setKeys, .restore: true
    default: false
    }
  }

  /// The key of the only model that a slot refers to afterwards and did not before.
  var joined: Int64? {
    if case .add(_, let key, _) = self { key } else { nil }
  }

  package static func add(_ model: any PersistentModel, key: Int64, isNew: Bool = false) -> Self {
    .add(.init(model: model), key: key, isNew: isNew)
  }
  package static func remove(_ model: any PersistentModel, key: Int64) -> Self {
    .remove(.init(model: model), key: key)
  }
}

extension _SlotEdit {
  // Most edits only ask whether an attribute was read, or forget it: code that the program's compiler specialises.
  @inlinable
  public mutating func apply<Codec>(to slot: inout _Attribute<Codec>) {
    wasLoaded = slot.isLoaded
    switch toAttribute {
    case .none: return
    case .unload: slot.unload()
    case .image: applyImage(to: &slot)
    }
  }

  @usableFromInline
  enum ToAttribute {
    case none, unload, image
  }

  /// What the edit does to an attribute.
  @usableFromInline
  var toAttribute: ToAttribute {
    switch operation {
    case .unload: .unload
    case .capture, .restore(.attribute), .digest, .column, .content: .image
    default: .none
    }
  }

  @usableFromInline
  mutating func applyImage<Codec>(to slot: inout _Attribute<Codec>) {
    switch operation {
    case .restore(.attribute(let former)): if let former = former as? _Attribute<Codec> { slot = former }
    case .digest: if let value = slot.value { found = .digest(Codec.digest(value)) }
    case .column, .content:
      if let value = slot.value, let stored = try? Codec.encode(value) { found = .column(stored) }
    default: found = .image(.attribute(slot))
    }
  }

  public mutating func apply<Target>(to slot: inout _ToOne<Target>) {
    apply(to: &slot.reference, accepts: Target.self)
  }

  public mutating func apply<Target>(to slot: inout _RequiredToOne<Target>) {
    apply(to: &slot.reference, accepts: Target.self)
  }

  public mutating func apply<Models>(to slot: inout _ToMany<Models>) {
    apply(to: &slot.members, accepts: Models.PersistentElement.self)
  }
}

extension _SlotEdit {
  private mutating func apply(
    to reference: inout ToOneReference, accepts type: @autoclosure () -> any PersistentModel.Type
  ) {
    wasLoaded = reference.isLoaded
    isUnlinked = reference.isUnlinked
    switch operation {
    case .add(let model, let key, _):
      found = reference.found
      reference.refer(to: model.model, key: key, accepts: type())
    case .remove(let model, let key): reference.remove(model.model, key: key)
    case .enterContext: if let target = reference.enterContext() { found = .model(target) }
    case .leaveContext(let model): reference.leaveContext(model)
    case .clear: reference = ToOneReference(key: 0)
    case .endSave(let permanent): reference.endSave(permanent)
    case .collect: found = reference.found
    case .unload: reference = ToOneReference()
    case .capture: found = .image(.toOne(reference))
    case .restore(let image): if case .toOne(let former) = image { reference = former }
    case .digest: if let digest = reference.digest { found = .digest(digest) }
    case .column, .content: if let value = reference.column { found = .column(value) }
    case .setKeys, .forgetMembers, .collectJoined, .join, .endOrder, .keep, .fill: break
    }
  }

  private mutating func apply(
    to members: inout ToManyMembers, accepts type: @autoclosure () -> any PersistentModel.Type
  ) {
    wasLoaded = members.isLoaded
    isUnlinked = members.isUnlinked
    switch operation {
    case .add(let model, let key, let isNew): members.add(model.model, key: key, isNew: isNew, accepts: type())
    case .remove(let model, let key): members.remove(model.model, key: key)
    case .enterContext: if let models = members.enterContext() { found = .models(models) }
    case .leaveContext(let model): members.leaveContext(model)
    case .clear: members.clear()
    case .endSave(let permanent): members.endSave(permanent)
    case .collect: (found, isRearranged, isKept) = (members.found, members.isRearranged, members.isKept)
    case .collectJoined: found = .keys(members.joined)
    case .setKeys(let keys): members.read(keys)
    case .join(let keys, let leaving, let count, let isRearranged):
      members.join(keys, leaving: leaving, count: count)
      if isRearranged { members.isRearranged = true }
    case .endOrder: (members.joined, members.isRearranged) = ([], false)
    case .keep: members.isKept = true
    case .forgetMembers: members.forget()
    case .unload: members = ToManyMembers()
    case .capture: found = .image(.toMany(members))
    case .restore(let image):
      if case .toMany(let former) = image {
        members = former
        members.isKept = false
      }
    case .fill, .digest, .column, .content: break
    }
  }
}

extension PersistentModel {
  func isInstance(of type: any PersistentModel.Type) -> Bool {
    type == Self.self || type.isClass(of: self)
  }

  private static func isClass(of model: AnyObject) -> Bool { model is Self }
}
