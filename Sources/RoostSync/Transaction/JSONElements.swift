/// The elements of a JSON array, each as its own JSON text.
enum JSONElements {
  /// nil for what is no array.
  static func split(_ text: String) -> [String]? {
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: { !isSpace($0) }), bytes[first] == UInt8(ascii: "["),
      let last = bytes.lastIndex(where: { !isSpace($0) }), last > first, bytes[last] == UInt8(ascii: "]")
    else { return nil }
    var (elements, start, depth, isText, isEscaped): ([String], Int, Int, Bool, Bool) = ([], first + 1, 0, false, false)
    func element(_ end: Int) -> String? {
      var range = bytes[start..<end]
      while let byte = range.first, isSpace(byte) { range.removeFirst() }
      while let byte = range.last, isSpace(byte) { range.removeLast() }
      return range.isEmpty ? nil : String(decoding: range, as: UTF8.self)
    }
    for place in first + 1..<last {
      let byte = bytes[place]
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        guard let found = element(place) else { return nil }
        elements.append(found)
        start = place + 1
      default: break
      }
    }
    if let found = element(last) { elements.append(found) } else if !elements.isEmpty { return nil }
    return depth == 0 && !isText ? elements : nil
  }

  static func joined(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
