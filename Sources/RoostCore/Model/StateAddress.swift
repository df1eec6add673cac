/// Where a model keeps its state.
///
/// A protocol can hand out a noncopyable value only through a coroutine, whose frame is an allocation for every look at
/// a model whose class is not known. An address is a number.
@_documentation(visibility: private)
@frozen @safe
public struct _StateAddress {
  @usableFromInline let pointer: UnsafeMutablePointer<_ModelState>

  // SAFETY: the state is a stored property of a class and is never copied, so what is passed here is the field itself,
  // which stays where it is for as long as the model lives.
  @inlinable public init(_ state: inout _ModelState) {
    pointer = unsafe withUnsafeMutablePointer(to: &state) { unsafe $0 }
  }
}

extension _StateAddress {
  // SAFETY: whoever asks holds the model, as a ``ModelList`` does, so the field is there until the access ends.
  var state: _ModelState {
    unsafeAddress { unsafe UnsafePointer(pointer) }
    nonmutating unsafeMutableAddress { unsafe pointer }
  }
}

extension PersistentModel {
  // SAFETY: whoever asks holds the model, so the field is there until the access ends.
  @_documentation(visibility: private)
  public var _$state: _ModelState {
    @inlinable unsafeAddress { unsafe UnsafePointer(_$stateAddress.pointer) }
    @inlinable unsafeMutableAddress { unsafe _$stateAddress.pointer }
  }
}
