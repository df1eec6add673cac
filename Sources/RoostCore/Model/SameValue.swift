import Foundation

/// Whether two values of any types are the same, as far as their types let that be asked:
/// by `==`, or by what is encoded.
enum SameValue {
  static func areSame(_ left: Any?, _ right: Any?) -> Bool {
    guard let left = bare(left) else { return bare(right) == nil }
    guard let right = bare(right) else { return false }
    // Texts that are equal may still be stored differently.
    if let left = left as? String { return (right as? String).map { left.utf8.elementsEqual($0.utf8) } ?? false }
    func areEqual<Value: Equatable>(_ left: Value) -> Bool { (right as? Value) == left }
    if let left = left as? any Equatable { return areEqual(left) }
    guard type(of: left) == type(of: right), let left = CodableTypes.encodable(left),
      let right = CodableTypes.encodable(right), let text = try? JSONText.encode(left),
      let other = try? JSONText.encode(right)
    else { return false }
    return text == other
  }

  /// The value inside of optionals.
  static func bare(_ value: Any?) -> Any? {
    guard let value else { return nil }
    return (value as? any AnyOptional).map { bare($0.wrappedValue) } ?? value
  }
}
