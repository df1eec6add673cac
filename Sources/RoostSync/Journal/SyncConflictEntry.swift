public import Foundation
public import Roost
public import RoostSQL
import SyncMerge

/// A meeting of two changes, neither of whose devices knew of the other: what each said, and what became of it.
///
/// It is about a change of this device. Source of the idea: CloudKit's
/// [serverRecordChanged](https://developer.apple.com/documentation/cloudkit/ckerror/code/serverrecordchanged), which hands over the same
/// three versions.
public struct SyncConflictEntry: Identifiable, Hashable, Sendable {
  /// What is to be seen.
  public enum Outcome: String, Hashable, Sendable {
    /// What this device wrote.
    case local
    /// What the other device wrote.
    case remote
    /// Both, by the attribute's rule or the program's function.
    case merged
    /// Not decided: of `.keepBoth` the later change, of `.custom` the other device's, where the program's function gave nothing that the
    /// row can have.
    case open
  }

  /// Its number in the journal.
  public let id: Int64
  /// When this device heard of it.
  public let date: Date
  /// The name of the model.
  public let model: String
  /// The name of the property; nil for a deletion that met an edit.
  public let property: String?
  /// The row; nil for one that is gone.
  public let row: PersistentIdentifier?
  /// What the property was before both, as the database has it.
  ///
  /// `.null` also stands for what is not known: a value that was in a file (`.externalStorage`), which goes with the save that replaces
  /// it.
  public let ancestor: SQLValue
  /// What this device wrote; nil for no value that a column has, such as another row.
  public let local: SQLValue?
  /// What the other device wrote.
  public let remote: SQLValue?
  /// What became of both.
  public let outcome: Outcome
  /// Whether ``SyncEngine/resolve(_:keeping:)`` was called for it.
  public let isResolved: Bool
}

extension SyncConflictEntry.Outcome {
  init(_ outcome: SyncConflict.Outcome) {
    self =
      switch outcome {
      case .server: .remote
      case .client: .local
      case .merged: .merged
      case .open: .open
      }
  }
}
