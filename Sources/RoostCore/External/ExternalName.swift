import Foundation
package import RoostSQL

/// The name of a file that holds a value: random, so that nobody's text is part of a path.
package struct ExternalName: Hashable, Sendable {
  private let identifier: UUID

  init() { identifier = UUID() }

  /// nil for anything but a name as the other initialiser makes it: what is in a column never leads out of the folder.
  init?(_ text: String) {
    guard let identifier = UUID(uuidString: text), identifier.uuidString == text else { return nil }
    self.identifier = identifier
  }

  package var text: String { identifier.uuidString }
}

/// How a column says that its value is in a file: by the file's name, as text in a column of bytes and as bytes in one
/// of text. So one column tells everything, and whoever sets it to a value or to NULL has said all there is to say.
package enum ExternalReference {
  private static let nameLength: Int64 = 36

  package static func value(_ name: ExternalName, in type: _ColumnType) -> SQLValue {
    type == .blob ? .text(name.text) : .blob(Data(name.text.utf8))
  }

  /// The file that a column's value refers to.
  package static func name(_ value: SQLValue, in type: _ColumnType) -> ExternalName? {
    switch (value, type) {
    case (.text(let text), .blob): ExternalName(text)
    case (.blob(let bytes), .text): ExternalName(String(decoding: bytes, as: UTF8.self))
    default: nil
    }
  }

  /// What SQL calls the form of a reference.
  static func storageClass(in type: _ColumnType) -> String { type == .blob ? "text" : "blob" }

  static func isReference(_ column: String, _ type: _ColumnType) -> SQLExpression {
    .binary(.equal, .function(.typeOf, [.column(column)]), .text(storageClass(in: type)))
  }

  /// Keeps other programs from storing a number, or text among bytes, as a column of the type itself would.
  static func check(_ column: String, _ type: _ColumnType) -> SQLExpression {
    let isValue = SQLExpression.inList(
      .function(.typeOf, [.column(column)]), [.text("null"), .text(type.rawValue.lowercased())])
    let hasLength = SQLExpression.binary(.equal, .function(.length, [.column(column)]), .integer(nameLength))
    return .any([isValue, .all([isReference(column, type), hasLength])])
  }
}
