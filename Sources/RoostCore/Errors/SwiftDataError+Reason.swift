import RoostEngine

/// Why a value has no form in the store, in words that do not contain it.
package struct UnstorableValue: Error, CustomStringConvertible {
  package let description: String
  package let isNaN: Bool

  init(_ description: String, isNaN: Bool = false) { (self.description, self.isNaN) = (description, isNaN) }

  static var notANumber: UnstorableValue {
    UnstorableValue("NaN cannot be stored. Make the property optional and use nil.", isNaN: true)
  }
}

extension SwiftDataError {
  /// What an error says, in a text that may end in a log.
  ///
  /// Errors of other code may have the values of the program's users in them, as an `EncodingError` has. Of these only
  /// the name is told, unless the options let errors tell values.
  package static func reason(_ error: any Error, tellsValues: Bool = false) -> String {
    if tellsValues || isOwn(error) { return "\(error)" }
    let mirror = Mirror(reflecting: error)
    switch mirror.displayStyle {
    case .enum?, .struct?: if mirror.children.isEmpty { return "\(error)" }
    default: break
    }
    let name = mirror.displayStyle == .enum ? mirror.children.first?.label.map { ".\($0)" } ?? "" : ""
    return "\(type(of: error))\(name)(…) was thrown. storeOptions.reportsArguments has such errors told as a whole."
  }

  private static func isOwn(_ error: any Error) -> Bool {
    error is UnstorableValue || error is SwiftDataError || error is DatabaseError
  }
}
