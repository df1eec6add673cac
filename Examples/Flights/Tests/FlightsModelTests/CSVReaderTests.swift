import FlightsModel
import Foundation
import Testing

/// What the reader makes of CSV texts, with buffers that end at every possible place in them.
@Suite struct CSVReaderTests {
  @Test func fieldsAndRows() throws {
    #expect(try rows("a,b,c\n1,2,3\n4,5,6\n") == [["1", "2", "3"], ["4", "5", "6"]])
    #expect(try rows("a,b\n,\nx,\n") == [["", ""], ["x", ""]])
  }

  @Test func lastLineNeedsNoEnd() throws {
    #expect(try rows("a,b\n1,2") == [["1", "2"]])
    #expect(try rows("a,b\n1,") == [["1", ""]])
    #expect(try rows("a,b\n1,\"2\"") == [["1", "2"]])
    #expect(try rows("a,b") == [])
  }

  @Test func linesMayEndInCRLF() throws {
    #expect(try rows("a,b\r\n1,2\r\n3,\"4\"\r\n") == [["1", "2"], ["3", "4"]])
    #expect(try rows("a,b\r\n1,\r\n,\"\"\r\n") == [["1", ""], ["", ""]])
    #expect(try rows("a,b\r\n1,2\r") == [["1", "2"]])
    // A carriage return elsewhere is text.
    #expect(try rows("a,b\n1\r2,\"3\r\n4\"\n") == [["1\r2", "3\r\n4"]])
  }

  @Test func quotedFields() throws {
    #expect(try rows("a,b\n\"1,5\",\"x\ny\"\n") == [["1,5", "x\ny"]])
    #expect(try rows(#"a,b\#n"say ""hi""",""\#n"""","""""""#) == [[#"say "hi""#, ""], [#"""#, #""""#]])
    #expect(try rows("a,b\n5\" pipe,x\"\"y\n") == [["5\" pipe", "x\"\"y"]])
  }

  @Test func blankLinesAreSkipped() throws {
    #expect(try rows("\n\na\n\n1\r\n\r\n\"\"\n2\n\n") == [["1"], [""], ["2"]])
  }

  @Test func byteOrderMarkIsSkipped() throws {
    #expect(try rows("\u{FEFF}a,b\n1,2\n") == [["1", "2"]])
    #expect(try rows("é,b\nü,日本\n") == [["ü", "日本"]])
  }

  @Test func aRowMayBeLongerThanTheBuffer() throws {
    let long = String(repeating: "x,\n", count: 10_000)
    #expect(try rows("a,b\n\"\(long)\",1\n2,3\n", bufferSizes: [16, 1 << 20]) == [[long, "1"], ["2", "3"]])
  }

  @Test(arguments: [
    ("", "table.csv: the file is empty; its first row must name the columns."),
    ("a,b\n1,2\n3\n", "table.csv, line 3: the row has 1 fields, the header 2."),
    ("a,b\n\"1\n2\",3\n4,5,6\n", "table.csv, line 4: the row has 3 fields, the header 2."),
    ("a,b\n1,2\n3,\"4\n5,6\n", "table.csv, line 3: a quoted field that starts here is never closed."),
    ("a,b\n\"1\"x,2\n", "table.csv, line 2: a closing quote must be followed by a comma or the end of the line."),
  ])
  func malformed(text: String, message: String) throws {
    for bufferSize in 16...40 {
      let error = #expect(throws: CSVError.self) { try read(text, bufferSize: bufferSize) }
      #expect(error?.description == message)
    }
  }

  @Test func aMissingFileIsNamed() throws {
    let file = URL(filePath: "/no/such/table.csv")
    let error = #expect(throws: CSVError.self) { _ = try CSVReader.open(file) }
    #expect(error?.description == "table.csv: there is no readable file at /no/such/table.csv.")
  }

  private func rows(_ text: String, bufferSizes: [Int]? = nil) throws -> [[String]] {
    let sizes = bufferSizes ?? Array(16...max(17, text.utf8.count + 1))
    let results = try sizes.map { try read(text, bufferSize: $0) }
    for (size, result) in zip(sizes, results) {
      #expect(result == results[0], "with a buffer of \(size) bytes")
    }
    return results[0]
  }

  @discardableResult
  private func read(_ text: String, bufferSize: Int) throws -> [[String]] {
    try withTable(text) { file in
      var reader = try CSVReader.open(file, bufferSize: bufferSize)
      let columns = try reader.header.map { try reader.column($0) }
      var rows: [[String]] = []
      while try reader.advance() { rows.append(try columns.map { try reader.value($0) }) }
      #expect(reader.bytesConsumed == text.utf8.count)
      return rows
    }
  }
}

/// Fields read as values.
@Suite struct CSVValueTests {
  @Test func values() throws {
    #expect(try read("-12", as: Int.self) == -12)
    #expect(try read("0830", as: Int.self) == 830)
    #expect(try read("10.357019999999999", as: Double.self) == 10.357019999999999)
    #expect(try read("1e3", as: Double.self) == 1000)
    #expect(try read("NA", as: String.self) == "NA")
  }

  @Test func notAvailableIsNil() throws {
    #expect(try read("NA", as: Int?.self) == nil)
    #expect(try read("\"\"", as: Double?.self) == nil)
    #expect(try read("NA", as: String?.self) == nil)
    #expect(try read("NAN", as: String?.self) == "NAN")
    #expect(try read("7", as: Int?.self) == 7)
  }

  @Test(arguments: [
    ("2001-01-01T00:00:00Z", 0), ("2000-12-31T23:59:59Z", -1), ("2013-01-01T10:05:07Z", 378_727_507),
    ("2000-02-29T00:00:00Z", -26_524_800), ("2100-03-01T00:00:00Z", 3_129_235_200),
  ])
  func times(text: String, seconds: Int) throws {
    #expect(try read(text, as: Date.self).timeIntervalSinceReferenceDate == Double(seconds))
    #expect(try Date(text, strategy: .iso8601).timeIntervalSinceReferenceDate == Double(seconds))
  }

  @Test(arguments: ["2013-02-29T00:00:00Z", "2013-13-01T00:00:00Z", "2013-01-01 00:00:00Z", "2013-01-01", "yesterday"])
  func badTimes(text: String) {
    #expect(throws: CSVError.self) { try read(text, as: Date.self) }
  }

  @Test(arguments: ["1.5", "-", "12x", "9223372036854775808"])
  func badNumbers(text: String) {
    let error = #expect(throws: CSVError.self) { try read(text, as: Int?.self) }
    #expect(error?.description == "table.csv, line 2, column a: \"\(text)\" is not a whole number or NA.")
  }

  @Test func anUnknownColumnIsNamed() {
    let error = #expect(throws: CSVError.self) {
      try withTable("a,b\n") { file in _ = try CSVReader.open(file).column("c") }
    }
    #expect(error?.description == "table.csv: there is no column c, only a, b.")
  }

  private func read<Value: CSVValue>(_ field: String, as type: Value.Type) throws -> Value {
    try withTable("a\n\(field)\n") { file in
      var reader = try CSVReader.open(file)
      let column = try reader.column("a")
      #expect(try reader.advance())
      return try reader.value(column)
    }
  }
}

/// Runs `body` with a file of that text, which is then removed.
private func withTable<Result>(_ text: String, body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "flights-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appending(path: "table.csv")
  try Data(text.utf8).write(to: file)
  return try body(file)
}
