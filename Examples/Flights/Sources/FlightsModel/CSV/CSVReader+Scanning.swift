extension CSVReader {
  /// Where a field's bytes are in the buffer, without the quotes around them.
  struct Field {
    var bytes: Range<Int>
    var isQuoted = false
    /// Whether quotes inside are doubled and must become single ones.
    var hasDoubledQuotes = false
  }

  private enum Scan {
    /// `fields` are complete; the next row starts at `end`, so many lines on.
    case row(end: Int, lines: Int)
    /// The buffer ends before the row does.
    case needsMore
    case unclosedQuote
    /// This byte follows a closing quote, where only a comma or the line's end may.
    case textAfterQuote
  }

  /// Finds the fields of the next row that is not blank; false at the end of the file.
  mutating func readRow() throws -> Bool {
    while true {
      if unread.isEmpty, isAtEndOfFile { return false }
      switch scanRow() {
      case .needsMore:
        try refill()
      case .unclosedQuote:
        throw error(.unclosedQuote, line: nextLine)
      case .textAfterQuote:
        throw error(.textAfterQuote, line: nextLine)
      case .row(let end, let lines):
        line = nextLine
        nextLine += lines
        bytesConsumed += end - unread.lowerBound
        unread = end..<unread.upperBound
        let isBlank = fields.count == 1 && fields[0].bytes.isEmpty && !fields[0].isQuoted
        if isBlank { continue }
        for index in fields.indices where fields[index].hasDoubledQuotes { undoubleQuotes(in: index) }
        return true
      }
    }
  }

  /// Looks for one row from the first unread byte on.
  ///
  /// It changes nothing but `fields`, so that it can be called again from the same place once there are more bytes.
  private mutating func scanRow() -> Scan {
    var fields = self.fields
    self.fields = []  // So that appending below does not copy the array.
    defer { self.fields = fields }
    fields.removeAll(keepingCapacity: true)
    let end = unread.upperBound
    let isAtEndOfFile = isAtEndOfFile
    var position = unread.lowerBound
    var lines = 0
    return buffer.withUnsafeBufferPointer { bytes in
      while true {
        var field = Field(bytes: position..<position)
        if position < end, bytes[position] == Byte.quote {
          field.isQuoted = true
          position += 1
          let start = position
          while true {
            guard position < end else { return isAtEndOfFile ? .unclosedQuote : .needsMore }
            if bytes[position] == Byte.lineFeed {
              lines += 1
            } else if bytes[position] == Byte.quote {
              // Whether this quote closes the field or is the first of two, the next byte tells.
              guard position + 1 < end || isAtEndOfFile else { return .needsMore }
              guard position + 1 < end, bytes[position + 1] == Byte.quote else { break }
              field.hasDoubledQuotes = true
              position += 1
            }
            position += 1
          }
          field.bytes = start..<position
          position += 1
          if position + 1 < end, bytes[position] == Byte.carriageReturn, bytes[position + 1] == Byte.lineFeed {
            position += 1
          } else if position + 1 == end, bytes[position] == Byte.carriageReturn {
            guard isAtEndOfFile else { return .needsMore }
            position += 1
          }
        } else {
          let start = position
          while position < end, bytes[position] != Byte.comma, bytes[position] != Byte.lineFeed { position += 1 }
          let isBeforeCRLF = position > start && bytes[position - 1] == Byte.carriageReturn
          let isLast = position == end || bytes[position] == Byte.lineFeed
          field.bytes = start..<(isLast && isBeforeCRLF ? position - 1 : position)
        }
        guard position < end || isAtEndOfFile else { return .needsMore }
        fields.append(field)
        if position == end { return .row(end: end, lines: lines) }
        let delimiter = bytes[position]
        position += 1
        if delimiter == Byte.lineFeed { return .row(end: position, lines: lines + 1) }
        if delimiter != Byte.comma { return .textAfterQuote }
      }
    }
  }

  /// Turns each `""` into `"`, in place: the row is complete and will not be scanned again.
  private mutating func undoubleQuotes(in index: Int) {
    let bytes = fields[index].bytes
    var target = bytes.lowerBound
    var source = bytes.lowerBound
    while source < bytes.upperBound {
      buffer[target] = buffer[source]
      source += buffer[source] == Byte.quote ? 2 : 1
      target += 1
    }
    fields[index].bytes = bytes.lowerBound..<target
  }
}

private enum Byte {
  static let comma = UInt8(ascii: ",")
  static let quote = UInt8(ascii: "\"")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
}
