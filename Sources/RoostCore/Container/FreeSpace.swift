package import Foundation

/// Says how many bytes may still be written to the disk that a folder is on; nil for as many as needed.
package final class FreeSpace: Sendable, Hashable {
  package let bytes: @Sendable (URL) -> Int64?

  package init(_ bytes: @escaping @Sendable (URL) -> Int64?) { self.bytes = bytes }

  package static let ofSystem = FreeSpace { Disk.freeBytes(at: $0) }

  package static func == (lhs: FreeSpace, rhs: FreeSpace) -> Bool { lhs === rhs }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
