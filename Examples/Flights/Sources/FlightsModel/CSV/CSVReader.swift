import Foundation

/// Reads a CSV file row by row, in memory that does not grow with the file.
///
/// The reader is a cursor: ``advance()`` moves it to the next row, ``value(_:as:)`` reads a field of the row it is on.
/// So no row outlives the buffer it was read into, and a field that nobody asks for costs nothing.
///
///     var planes = try CSVReader.open(folder.file(.planes))
///     let tailNumber = try planes.column("tailnum")
///     while try planes.advance() {
///       print(try planes.value(tailNumber, as: String.self))
///     }
///
/// It reads what RFC 4180 describes, in UTF-8: fields may be quoted, a quoted field may hold commas, line ends and
/// doubled quotes, lines end in LF or CRLF, the first row names the columns. A byte order mark and blank lines are
/// skipped; a quote inside a field that does not start with one is an ordinary character.
public struct CSVReader: ~Copyable {
  /// Column names, from the file's first row.
  public private(set) var header: [String] = []
  /// How many bytes of the file the rows so far have taken.
  public internal(set) var bytesConsumed = 0
  /// The line the current row starts on, counted from 1.
  public internal(set) var line = 1

  let fileName: String
  private let stream: InputStream
  var buffer: [UInt8]
  /// What of `buffer` is read from the file and not consumed by a row yet.
  var unread = 0..<0
  /// Whether the file has no more bytes than those in the buffer.
  var isAtEndOfFile = false
  /// Where in `buffer` the current row's fields are.
  var fields: [Field] = []
  /// The line the next row starts on.
  var nextLine = 1

  /// No table has a row this long; a quote that is never closed soon looks like one.
  static let maximumRowSize = 1 << 24

  /// Opens a file and reads its header.
  public static func open(_ file: URL, bufferSize: Int = 1 << 20) throws -> CSVReader {
    // A function, because an initializer that throws cannot give up a noncopyable value that is half made.
    guard let stream = InputStream(url: file) else {
      throw CSVError(file: file.lastPathComponent, problem: .cannotOpen(file.path))
    }
    var reader = CSVReader(fileName: file.lastPathComponent, stream: stream, bufferSize: bufferSize)
    stream.open()
    guard stream.streamStatus != .error else { throw reader.error(.cannotOpen(file.path), line: nil) }
    try reader.skipByteOrderMark()
    guard try reader.readRow() else { throw reader.error(.noHeader, line: nil) }
    reader.header = reader.fields.indices.map { reader.text(of: $0) }
    return reader
  }

  private init(fileName: String, stream: InputStream, bufferSize: Int) {
    self.fileName = fileName
    self.stream = stream
    buffer = [UInt8](repeating: 0, count: max(bufferSize, 16))
  }

  deinit { stream.close() }

  /// Moves to the next row; false when there is none.
  public mutating func advance() throws -> Bool {
    guard try readRow() else { return false }
    guard fields.count == header.count else {
      throw error(.fieldCount(expected: header.count, found: fields.count), line: line)
    }
    return true
  }

  /// The column of that name, for `value(_:as:)`.
  public func column(_ name: String) throws -> CSVColumn {
    guard let index = header.firstIndex(of: name) else {
      throw error(.noColumn(name, header: header), line: nil)
    }
    return CSVColumn(index: index)
  }

  func error(_ problem: CSVError.Problem, line: Int?, column: CSVColumn? = nil) -> CSVError {
    CSVError(file: fileName, line: line, column: column.map { header[$0.index] }, problem: problem)
  }

  /// Makes room at the buffer's end, larger where a single row fills it, and reads on.
  mutating func refill() throws {
    if unread.lowerBound > 0 {
      buffer.replaceSubrange(0..<unread.count, with: Array(buffer[unread]))
      unread = 0..<unread.count
    } else if unread.count == buffer.count {
      guard buffer.count < Self.maximumRowSize else {
        throw error(.rowTooLong(limit: Self.maximumRowSize), line: nextLine)
      }
      buffer.append(contentsOf: repeatElement(0, count: buffer.count))
    }
    let start = unread.upperBound
    let count = buffer.withUnsafeMutableBufferPointer { bytes in
      stream.read(bytes.baseAddress! + start, maxLength: bytes.count - start)
    }
    guard count >= 0 else {
      throw error(.cannotRead(stream.streamError.map { "\($0)" } ?? "unknown error"), line: nextLine)
    }
    unread = 0..<start + count
    isAtEndOfFile = count == 0
  }

  private mutating func skipByteOrderMark() throws {
    while unread.count < 3, !isAtEndOfFile { try refill() }
    if unread.count >= 3, buffer[0..<3].elementsEqual([0xEF, 0xBB, 0xBF]) {
      unread = 3..<unread.upperBound
      bytesConsumed = 3
    }
  }
}

/// A column of one file, found once by name and then used for every row.
public struct CSVColumn: Sendable {
  let index: Int
}
