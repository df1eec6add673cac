import SwiftSyntax

extension TokenSyntax {
  /// The identifier without the backticks that escape it.
  var unescaped: String {
    let text = self.text
    guard text.count > 2, text.hasPrefix("`"), text.hasSuffix("`") else { return text }
    return String(text.dropFirst().dropLast())
  }

  /// An identifier made of a prefix and this one, escaped when it could not be written plainly.
  func prefixed(_ prefix: String) -> String {
    let name = prefix + unescaped
    return name.isPlainIdentifier ? name : "`\(name)`"
  }
}

extension String {
  /// Whether the text needs no backticks once a prefix has ruled out keywords.
  fileprivate var isPlainIdentifier: Bool {
    unicodeScalars.allSatisfy { $0 == "_" || $0 == "$" || !$0.isASCII || $0.properties.isAlphabetic || $0.isDigit }
      && !unicodeScalars.contains { $0.properties.isWhitespace }
  }

  /// A Swift string literal with this value.
  var literal: String {
    var result = "\""
    for character in self {
      switch character {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      default: result.append(character)
      }
    }
    return result + "\""
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
