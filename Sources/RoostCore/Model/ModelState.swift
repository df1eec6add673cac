import Observation
import RoostSQL

/// What Roost keeps in every model besides its values.
///
/// Inline in the model, so that a fetched object is one allocation. Not copyable: its end is the model's end, and
/// tells the context's identity map.
@_documentation(visibility: private)
public struct _ModelState: ~Copyable {
  /// Whether somebody has observed the model, or others have linked to it and are not inserted yet.
  @usableFromInline var needsAttention = false
  /// Whether the registrar is there. Beside it, because looking at one of another module's type copies it.
  package private(set) var isObserved = false
  package var flags: Flags = []
  private var shortOrdinal: Int32 = 0
  /// The row's primary key; negative while temporary, 0 while there is none.
  package var key: Int64 = 0
  /// In a context the model itself, as the identity map has it. In none a scope, retained: that
  /// of the row which the model had.
  private var anchor: UnsafeMutableRawPointer?
  /// The properties set since the last save: a bit for each of the first 64.
  private var firstChanged: UInt64 = 0
  private var coreReference: Unmanaged<ContextCore>?
  private var extrasReference: Unmanaged<Extras>?

  /// What few models have, and none while it is only read.
  private final class Extras {
    // SAFETY: a model belongs to one context, so to one actor, and nothing that reads or
    // writes these calls out meanwhile.
    @exclusivity(unchecked) var registrar: ObservationRegistrar?
    /// There with a registrar, in a context.
    @exclusivity(unchecked) var look: OutsideLook?
    @exclusivity(unchecked) var links: InitializerLinks?
    @exclusivity(unchecked) var probe: PropertyProbe?
    /// The properties set since the last save that are not among the first 64.
    @exclusivity(unchecked) var moreChanged: [UInt64] = []
    /// Those set that are to-one relationships which the other side nilled out.
    @exclusivity(unchecked) var detachments: [Int: Detachment] = [:]
    /// What the store had of properties set since the last save, where the merge policy asks for that.
    @exclusivity(unchecked) var ancestors: [Int: SQLValue] = [:]
    /// The model of the row, in a duplicate of it.
    @exclusivity(unchecked) var registeredModel: (any PersistentModel)?
  }

  package struct Flags: OptionSet {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Has no row yet.
    package static let inserted = Flags(rawValue: 1)
    /// To be deleted by the next save, or deleted.
    package static let deleted = Flags(rawValue: 2)
    /// Some slots were not read yet.
    package static let shell = Flags(rawValue: 4)
    /// The store has no such row.
    package static let vanished = Flags(rawValue: 8)
    /// In the context's list of changed, inserted or deleted models.
    static let listedChanged = Flags(rawValue: 16)
    static let listedInserted = Flags(rawValue: 32)
    static let listedDeleted = Flags(rawValue: 64)
    /// In the context's list of models that queries have not been shown as they are.
    static let stale = Flags(rawValue: 128)
    /// Being inserted, together with what it refers to.
    static let entering = Flags(rawValue: 256)
    /// To be deleted by a delete rule and by no call, so that the rows decide once more when the save deletes.
    static let cascaded = Flags(rawValue: 512)
    /// As `cascaded`, by a rule of a model that has no row, so that no row can tell.
    static let cascadedFromNew = Flags(rawValue: 1_024)
    /// Stands for a model that there is none of, and has no values; see `Placeholder.model`.
    static let placeholder = Flags(rawValue: 2_048)
    /// Passes on what is done to it to the model of its row; see `_$registered`.
    static let duplicate = Flags(rawValue: 4_096)
    /// A duplicate that was set and is about to pass that on.
    static let passingOn = Flags(rawValue: 8_192)
  }

  public init() {}

  /// Whether reading a property must do more than read. In the program's own getters, so that most reads stop here.
  @inlinable public var _isWatched: Bool { needsAttention || ObservationProbe.isTracking }

  /// Whether the model is in a context that another model enters.
  enum Membership { case elsewhere, present, entering }

  borrowing func membership(in core: ContextCore) -> Membership {
    // Compared as addresses: a look at the context of every model linked need not retain it.
    guard let coreReference, coreReference.toOpaque() == Unmanaged.passUnretained(core).toOpaque() else {
      return .elsewhere
    }
    return flags.contains(.entering) ? .entering : .present
  }

  /// Whether another model is in the same context, or the context that both were in.
  borrowing func isTogether(with other: borrowing _ModelState) -> Bool {
    coreReference != nil && coreReference?.toOpaque() == other.coreReference?.toOpaque()
  }

  /// Notes that a property is about to change. Returns whether the model is to be listed
  /// as changed, for the first time.
  mutating func noteChange(_ index: Int) -> Bool {
    if flags.contains(.inserted) {
      extrasReference?._withUnsafeGuaranteedRef { if !$0.detachments.isEmpty { $0.detachments[index] = nil } }
      return false
    }
    if index < 64 { firstChanged |= 1 << UInt64(index) } else { changed.insert(index) }
    extrasReference?._withUnsafeGuaranteedRef { if !$0.detachments.isEmpty { $0.detachments[index] = nil } }
    // Of a deleted model it counts once the deletion is taken back.
    if !flags.isDisjoint(with: [.listedChanged, .deleted]) { return false }
    flags.insert(.listedChanged)
    return true
  }

  /// Nothing is pending any more.
  mutating func endSave() {
    forgetChanges()
    flags.subtract([.inserted, .listedInserted, .listedChanged, .listedDeleted])
  }

  deinit {
    if let coreReference {
      if let anchor {
        coreReference._withUnsafeGuaranteedRef {
          $0.identities.remove(anchor, ordinal: ordinal, key: key)
          if isObserved { $0.observedTargets.forget(anchor) }
        }
      }
      coreReference.release()
    } else if let anchor {
      Unmanaged<IdentifierScope>.fromOpaque(anchor).release()
    }
    if let extrasReference {
      extrasReference._withUnsafeGuaranteedRef { $0.links?.unlink() }
      extrasReference.release()
    }
  }
}

// SAFETY: each reference is retained when it is set and released when it is replaced and in `deinit`. By hand because
// a model is destroyed for every row fetched, and the compiler destroys optional references of a noncopyable struct by
// calls through their metadata.
//
// `anchor` is a scope exactly while `coreReference` is nil. It becomes one, retained, in `leaveContext()` alone, which
// has set `coreReference` to nil before; the setter of `core` releases it before there is a context again, and `deinit`
// if there never is. With a context it is the model's own address, which is compared and never used as a reference.
extension _ModelState {
  /// The context's side of the model; nil while the model is in no context.
  package var core: ContextCore? {
    get { coreReference?.takeUnretainedValue() }
    set {
      let former = coreReference
      if former == nil, let scope = anchor {
        Unmanaged<IdentifierScope>.fromOpaque(scope).release()
        anchor = nil
      }
      coreReference = newValue.map { Unmanaged.passRetained($0) }
      if isObserved { lookForOutsideWrites() }
      former?.release()
    }
  }

  var hasCore: Bool { coreReference != nil }

  /// The same, unless the context is gone.
  var attachedCore: ContextCore? {
    coreReference?._withUnsafeGuaranteedRef { $0.isAttached ? $0 : nil }
  }

  /// Whether the model is in a context that is there.
  var isAttached: Bool { coreReference?._withUnsafeGuaranteedRef(\.isAttached) ?? false }

  /// Calls `body` with the core, which is not counted: nothing in there may take the model out of its context.
  borrowing func withCore(_ body: (ContextCore) -> Void) { coreReference?._withUnsafeGuaranteedRef(body) }

  /// The entity's place in the schema. Only valid with `core`.
  package var ordinal: Int {
    get { Int(shortOrdinal) }
    set { shortOrdinal = Int32(truncatingIfNeeded: newValue) }
  }

  /// The model itself, as the identity map has it; nil while it is not there.
  var registered: UnsafeMutableRawPointer? { coreReference == nil ? nil : anchor }

  /// Makes the model that of a row, or of a new one, in a context. `pointer`: the model itself, unretained.
  mutating func register(in core: ContextCore, ordinal: Int, key: Int64, _ pointer: UnsafeMutableRawPointer) {
    self.core = core
    self.ordinal = ordinal
    self.key = key
    anchor = pointer
  }

  /// What the row's identifier has besides the key, also once the row is deleted; nil for a model that never had a row.
  var rowScope: IdentifierScope? {
    if key <= 0 { return nil }
    if let coreReference { return coreReference._withUnsafeGuaranteedRef { $0.scope(ordinal: ordinal) } }
    return anchor.map { Unmanaged<IdentifierScope>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes the model out of its context. It is still known by its row's identifier.
  mutating func leaveContext() {
    guard let coreReference else { return }
    if isObserved, let anchor { coreReference._withUnsafeGuaranteedRef { $0.observedTargets.forget(anchor) } }
    let scope = rowScope
    // Without a context it would be taken for a scope.
    anchor = nil
    core = nil
    anchor = scope.map { Unmanaged.passRetained($0).toOpaque() }
  }

  /// Unretained: the state keeps them until its end.
  private mutating func makeExtras() -> Unmanaged<Extras> {
    if let extrasReference { return extrasReference }
    let extras = Unmanaged.passRetained(Extras())
    extrasReference = extras
    return extras
  }

  private var extras: Extras? { extrasReference?.takeUnretainedValue() }

  /// What relationships set inside the model's own initialiser refer to it from; see `InitializerLinks`.
  var links: InitializerLinks? {
    get { extras?.links }
    set {
      if newValue == nil && extrasReference == nil { return }
      makeExtras()._withUnsafeGuaranteedRef { $0.links = newValue }
    }
  }

  /// What notes which properties are read; nil in all models but those that are made for that.
  var probe: PropertyProbe? {
    get { extras?.probe }
    set { makeExtras()._withUnsafeGuaranteedRef { $0.probe = newValue } }
  }

  /// There once somebody has observed the model.
  var registrar: ObservationRegistrar? { isObserved ? extras?.registrar : nil }

  /// Makes the registrar at its first use.
  mutating func observe() -> ObservationRegistrar {
    if let registrar { return registrar }
    needsAttention = true
    isObserved = true
    let registrar = ObservationRegistrar()
    makeExtras()._withUnsafeGuaranteedRef { $0.registrar = registrar }
    lookForOutsideWrites()
    return registrar
  }

  /// Has what other programs write shown to those who observe the model.
  private func lookForOutsideWrites() { extras?.look = core?.sharedOutsideLook() }

  /// The model of the row, if this one is a duplicate.
  var registeredModel: (any PersistentModel)? { extras?.registeredModel }

  /// Takes the model out of its context, which the registered one may leave for another.
  mutating func becomeDuplicate(of registered: any PersistentModel) {
    leaveContext()
    forgetChanges()
    key = 0
    links = nil
    flags = .duplicate
    // So that getters and setters ask.
    needsAttention = true
    makeExtras()._withUnsafeGuaranteedRef { $0.registeredModel = registered }
  }

  /// The properties set since the last save; none for a new model.
  private(set) var changed: PropertySet {
    get { PropertySet(first: firstChanged, more: extrasReference?._withUnsafeGuaranteedRef(\.moreChanged) ?? []) }
    set {
      firstChanged = newValue.first
      if newValue.more.isEmpty && extrasReference == nil { return }
      makeExtras()._withUnsafeGuaranteedRef { $0.moreChanged = newValue.more }
    }
  }

  var hasChangedProperties: Bool {
    firstChanged != 0 || extrasReference?._withUnsafeGuaranteedRef { !$0.moreChanged.isEmpty } ?? false
  }

  /// Whether a property was edited, and not only let go of by the model that it referred to.
  func isEdited(_ index: Int) -> Bool { changed.contains(index) && detachments[index] == nil }

  mutating func forgetChange(_ index: Int) {
    changed.remove(index)
    extrasReference?._withUnsafeGuaranteedRef {
      if !$0.detachments.isEmpty { $0.detachments[index] = nil }
      if !$0.ancestors.isEmpty { $0.ancestors[index] = nil }
    }
  }

  mutating func forgetChanges() {
    firstChanged = 0
    extrasReference?._withUnsafeGuaranteedRef {
      if !$0.moreChanged.isEmpty { $0.moreChanged = [] }
      if !$0.detachments.isEmpty { $0.detachments = [:] }
      if !$0.ancestors.isEmpty { $0.ancestors = [:] }
    }
  }

  /// What the store had of properties set since the last save, by index; see `ContextCore.keepAncestor`.
  var ancestors: [Int: SQLValue] { extras?.ancestors ?? [:] }

  mutating func noteAncestor(_ index: Int, _ value: SQLValue) {
    makeExtras()._withUnsafeGuaranteedRef { $0.ancestors[index] = value }
  }

  /// Whether the other side nilled out any to-one relationship.
  var hasDetachments: Bool { extrasReference?._withUnsafeGuaranteedRef { !$0.detachments.isEmpty } ?? false }

  /// The to-one relationships that the other side nilled out and the program had not set, by index.
  var detachments: [Int: Detachment] {
    hasDetachments ? allDetachments.filter { !$0.value.wasSet && !$0.value.isOfDeleted } : [:]
  }

  /// Those that the program had set, and those of deleted models, as well.
  var allDetachments: [Int: Detachment] { extras?.detachments ?? [:] }

  /// Notes why a relationship that has just changed is nil.
  mutating func noteDetachment(_ index: Int, _ detachment: Detachment?) {
    if detachment == nil && extrasReference == nil { return }
    makeExtras()._withUnsafeGuaranteedRef { $0.detachments[index] = detachment }
  }
}
