internal import SQLiteLibrary

/// What is left of the running thread's stack, which may be as small as half a megabyte.
package enum StackSpace {
  /// Whether there is room for so many bytes. True where the system does not say.
  package static func hasRoom(for bytes: Int) -> Bool {
    let (end, position) = (roost_stack_end(), roost_stack_position())
    return end == 0 || position < end || position - end > bytes
  }
}
