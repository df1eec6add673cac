/// The numbers that programs were given for what they have, by what they called it.
///
/// Names alone do not say what a program means: others use some anew. So whoever begins again
/// gets what it was given before.
struct GivenNumbers: Hashable, Sendable, Codable {
  private struct Program: Hashable, Sendable, Codable {
    /// A hash of its version, its names, and what it says that they were before.
    var hash: UInt64
    /// In the order of the names.
    var numbers: [Int]
  }

  /// So many programs are known.
  private static let most = 32
  /// The one that began first is the first.
  private var programs: [Program] = []

  /// nil for a program that was given none.
  func numbers(of names: [SyncName], _ version: [Int]) -> [String: Int]? {
    let (names, hash) = Self.identity(of: names, version)
    guard let program = programs.first(where: { $0.hash == hash && $0.numbers.count == names.count }) else {
      return nil
    }
    return Dictionary(zip(names, program.numbers)) { first, _ in first }
  }

  mutating func note(_ numbers: [String: Int], of names: [SyncName], _ version: [Int]) {
    let (names, hash) = Self.identity(of: names, version)
    programs.append(Program(hash: hash, numbers: names.compactMap { numbers[$0] }))
    if programs.count > Self.most { programs.removeFirst() }
  }

  /// The names in order, and FNV-1a of all that tells programs apart. What a migration plan says besides is none of
  /// that: it may be given later. Source: http://www.isthe.com/chongo/tech/comp/fnv/
  private static func identity(of names: [SyncName], _ version: [Int]) -> (names: [String], hash: UInt64) {
    let names = names.sorted { $0.name < $1.name }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ text: String) {
      // No text has this byte, which separates them.
      for byte in Array(text.utf8) + [0xff] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    add(version.map(String.init).joined(separator: "."))
    for name in names {
      add(name.name)
      add(name.originalName ?? "")
    }
    return (names.map(\.name), hash)
  }
}
