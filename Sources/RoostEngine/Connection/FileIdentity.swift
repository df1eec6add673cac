internal import SQLiteLibrary

/// Tells a file from every other one that there is at the same time, whatever its name.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// nil when there is no such file, and where files have no such numbers.
  init?(path: String) {
    var (device, number) = (UInt64(0), UInt64(0))
    guard roost_file_numbers(path, &device, &number) != 0 else { return nil }
    (self.device, self.number) = (device, number)
  }
}
