package import Foundation

/// A file that says what a client has saved, a line before each save and one after it. It outlives the client.
package struct Notebook {
  private let file: FileHandle

  /// Opens a file, or makes it.
  package init(_ url: URL) throws {
    if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
    file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
    // The last line may have been cut off.
    try file.write(contentsOf: Data("\n".utf8))
  }

  /// Writes a line that is on the disk afterwards.
  package func note(_ save: Save) throws {
    try file.write(contentsOf: try JSONEncoder().encode(save) + Data("\n".utf8))
    try file.synchronize()
  }

  /// All that was noted, each save with its last state, in order.
  package static func saves(_ url: URL) throws -> [Save] {
    var saves: [Save] = []
    for line in try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")) {
      // One that was cut off was the last of its process: what it says had not begun, or is not known to be over.
      guard let save = try? JSONDecoder().decode(Save.self, from: line) else { continue }
      if save.state == .begun { saves.append(save) } else { saves[saves.count - 1].state = save.state }
    }
    return saves
  }
}
