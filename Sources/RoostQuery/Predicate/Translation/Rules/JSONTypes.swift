import RoostCore
internal import RoostSQL
internal import Synchronization

/// The types of JSON columns that queries compare. SQL names a type by a number, which stays the same in a process.
///
/// A value has many spellings as JSON, and `==` is the program's code: it decides about texts that differ.
enum JSONTypes {
  private struct Registry {
    var tokens: [ObjectIdentifier: Int64] = [:]
    var tests: [any JSONTest] = []
  }

  private static let registry = Mutex(Registry())

  /// The test of a number, or nil if there is none.
  static func test(_ token: Int64) -> (any JSONTest)? {
    registry.withLock { $0.tests.indices.contains(Int(token)) ? $0.tests[Int(token)] : nil }
  }

  private static func token(_ test: some JSONTest) -> SQLExpression {
    registry.withLock { registry in
      let key = ObjectIdentifier(Swift.type(of: test))
      if let token = registry.tokens[key] { return .integer(token) }
      let token = Int64(registry.tests.count)
      registry.tokens[key] = token
      registry.tests.append(test)
      return .integer(token)
    }
  }

  /// `column == other`, both of the column's form.
  static func equal(_ column: ValueTerm, _ other: SQLExpression) -> SQLExpression {
    func token<Codec: _AttributeCodec>(_ codec: Codec.Type) -> SQLExpression { self.token(JSONEquality<Codec>()) }
    return .function(.jsonEqual, [column.sql, other, token(column.meaning.codec)])
  }

  /// `column.contains(element)`, where the element is an array of one in JSON.
  static func contains<Elements: Sequence & Decodable, Element: Decodable & Equatable>(
    _ type: Elements.Type, of elementType: Element.Type, _ column: SQLExpression, _ element: SQLExpression
  ) -> SQLExpression {
    .function(.jsonContains, [column, element, token(JSONMembership<Elements, Element>())])
  }

  /// `column.contains(part)` or `column.starts(with: part)`, where the part is an array in JSON.
  static func containsPart<Elements: Sequence & Decodable, Element: Decodable & Equatable>(
    _ type: Elements.Type, of elementType: Element.Type, _ column: SQLExpression, _ part: SQLExpression,
    atStart: Bool
  ) -> SQLExpression {
    let token = atStart ? self.token(JSONStart<Elements, Element>()) : self.token(JSONPart<Elements, Element>())
    return .function(.jsonContains, [column, part, token])
  }
}

/// A test of two JSON texts. It has no state: its type says everything.
protocol JSONTest: Sendable {
  func holds(_ column: String, _ other: String) -> Bool
}

private struct JSONEquality<Codec: _AttributeCodec>: JSONTest {
  func holds(_ column: String, _ other: String) -> Bool {
    guard let left = Codec.decode(.text(column)), let right = Codec.decode(.text(other)) else { return false }
    func open<Value: Equatable>(_ left: Value) -> Bool { (right as? Value) == left }
    return (left as? any Equatable).map { open($0) } ?? false
  }
}

private struct JSONMembership<Elements: Sequence & Decodable, Element: Decodable & Equatable>: JSONTest {
  func holds(_ column: String, _ other: String) -> Bool {
    guard let elements = try? JSONText.decode(Elements.self, from: column),
      let element = try? JSONText.decode([Element].self, from: other).first
    else { return false }
    return elements.contains { ($0 as? Element) == element }
  }
}

private struct JSONPart<Elements: Sequence & Decodable, Element: Decodable & Equatable>: JSONTest {
  func holds(_ column: String, _ other: String) -> Bool {
    guard let (elements, part) = JSONStart<Elements, Element>.decode(column, other) else { return false }
    return elements.contains(part)
  }
}

private struct JSONStart<Elements: Sequence & Decodable, Element: Decodable & Equatable>: JSONTest {
  static func decode(_ column: String, _ other: String) -> (elements: [Element], part: [Element])? {
    guard let elements = try? JSONText.decode(Elements.self, from: column),
      let part = try? JSONText.decode([Element].self, from: other)
    else { return nil }
    return (elements.compactMap { $0 as? Element }, part)
  }

  func holds(_ column: String, _ other: String) -> Bool {
    Self.decode(column, other).map { $0.elements.starts(with: $0.part) } ?? false
  }
}
