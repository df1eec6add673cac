public import Foundation
public import Roost
public import RoostSQL
import SyncMerge

/// A meeting of two changes, neither of whose devices knew of the other: what each said, and what became of it.
///
/// It is about a change of this device. Source of the idea: CloudKit's
/// [serverRecordChanged](https://developer.apple.com/documentation/cloudkit/ckerror/code/serverrecordchanged), which
/// hands over the same three versions.
public struct SyncConflictEntry: Identifiable, Hashable, Sendable {
  /// What is to be seen.
  public enum Outcome: String, Hashable, Codable, Sendable {
    /// What this device wrote.
    case local
    /// What the other device wrote.
    case remote
    /// Both, by the attribute's rule or the program's function.
    case merged
    /// Not decided: the row has the later change, or the other device's.
    ///
    /// The later one where the rule is `.keepBoth`; the other device's where it is `.custom`, and the program's
    /// function gave nothing that the row can have.
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
  /// `.null` also stands for what is not known: a value that was in a file (`.externalStorage`), which goes
  /// with the save that replaces it.
  public let ancestor: SQLValue
  /// What this device wrote; nil for no value that a column has, such as another row.
  public let local: SQLValue?
  /// What the other device wrote.
  public let remote: SQLValue?
  /// What became of both.
  public let outcome: Outcome
  /// Whether ``SyncEngine/resolve(_:keeping:)`` was called for it.
  public let isResolved: Bool
  /// Reads the versions; nil for an entry that a program has made.
  private let reader: JournalReader?

  /// Makes one for previews and tests: none of the journal is like it.
  ///
  /// - Parameters:
  ///   - id: its number.
  ///   - date: when the device heard of it.
  ///   - model: the name of the model.
  ///   - property: the name of the property; nil for a deletion that met an edit.
  ///   - row: the row; nil for one that is gone.
  ///   - ancestor: what the property was before both.
  ///   - local: what this device wrote.
  ///   - remote: what the other device wrote.
  ///   - outcome: what became of both.
  ///   - isResolved: whether it was decided again.
  public init(
    id: Int64, date: Date = Date(), model: String, property: String?, row: PersistentIdentifier? = nil,
    ancestor: SQLValue = .null, local: SQLValue? = nil, remote: SQLValue? = nil, outcome: Outcome,
    isResolved: Bool = false
  ) {
    self.init(
      id: id, date: date, model: model, property: property, row: row, ancestor: ancestor, local: local,
      remote: remote, outcome: outcome, isResolved: isResolved, reader: nil)
  }

  init(
    id: Int64, date: Date, model: String, property: String?, row: PersistentIdentifier?, ancestor: SQLValue,
    local: SQLValue?, remote: SQLValue?, outcome: Outcome, isResolved: Bool, reader: JournalReader?
  ) {
    (self.id, self.date, self.model, self.property, self.row) = (id, date, model, property, row)
    (self.ancestor, self.local, self.remote) = (ancestor, local, remote)
    (self.outcome, self.isResolved, self.reader) = (outcome, isResolved, reader)
  }

  /// The versions of an attribute, as its type.
  ///
  /// ```swift
  /// if let due = conflict.versions(of: \Note.due) { print("\(due.local) here, \(due.remote) elsewhere") }
  /// ```
  /// - Parameter keyPath: the attribute.
  /// - Returns: the versions; nil where the conflict is about something else, or this
  ///   program's type cannot have one of them.
  public func versions<Model: PersistentModel, Value>(of keyPath: KeyPath<Model, Value>) -> SyncVersions<Value>? {
    guard let reader, let local, let remote else { return nil }
    return reader.versions(of: keyPath, ancestor: ancestor, local: local, remote: remote)
  }
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
