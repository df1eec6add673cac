import Foundation

/// Runs `body` as a user who owns nothing: permissions stop nobody who is root.
///
/// The file system takes the thread for another user's then; nothing else does. Elsewhere than on Linux, and for others
/// than root, `body` simply runs.
func asOtherUser<Result>(_ body: () throws -> Result) rethrows -> Result {
  #if os(Linux)
    typealias SetUser = @convention(c) (UInt32) -> Int32
    guard geteuid() == 0, let address = dlsym(nil, "setfsuid") else { return try body() }
    // SAFETY: that is the function's type in C.
    let setUser = unsafeBitCast(address, to: SetUser.self)
    _ = setUser(65_534)
    defer { _ = setUser(0) }
  #endif
  return try body()
}
