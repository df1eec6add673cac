internal import SQLiteLibrary

/// Retains an object unless its destruction has begun, as loading a weak reference does.
///
/// - Parameter object: the object's address. Its memory must not be freed while this runs.
/// - Returns: the address, with one retain for the caller to take over; nil when the object is being destroyed.
package func tryRetain(_ object: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  roost_try_retain(object)
}
