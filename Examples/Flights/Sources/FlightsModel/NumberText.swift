import Foundation

extension Int {
  /// The number with a comma at every thousand, whatever the locale: the demo speaks English.
  public var grouped: String {
    formatted(.number.locale(Locale(identifier: "en_US")))
  }
}

extension Double {
  /// The number with so many digits after the point.
  public func text(digits: Int) -> String {
    formatted(.number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US")))
  }
}
