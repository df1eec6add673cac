internal import Foundation
import RoostCore
internal import RoostSQL

/// One column of a query's result: its SQL, and how to read it.
struct Selected<Value> {
  /// What is selected.
  var sql: SQLExpression
  /// What tells equal values: as `sql`, with the collation that equality needs.
  var identity: SQLExpression
  /// What puts values in order; nil where SQL knows none.
  var orders: [SQLExpression]?
  /// The value as conditions compare it; nil for what is no value, such as an identifier.
  var value: ValueTerm?
  /// What the column is called in errors.
  let name: String
  /// nil when the database gave no such value.
  let read: (SQLValue) -> Value?

  init(
    _ value: ValueTerm, name: String, orders: [SQLExpression]?, read: ((SQLValue) -> Value?)? = nil
  ) {
    sql = value.sql
    identity = orders.flatMap { $0.count == 1 && !value.meaning.isRanked ? $0[0] : nil } ?? value.sql
    self.orders = orders
    self.value = value
    self.name = name
    self.read = read ?? Self.reader(value.meaning)
  }

  init(_ sql: SQLExpression, name: String, read: @escaping (SQLValue) -> Value?) {
    self.sql = sql
    identity = sql
    orders = [sql]
    self.name = name
    self.read = read
  }

  /// Reads a value of an attribute's type, or nil for NULL where `Value` is optional.
  private static func reader(_ meaning: ColumnMeaning) -> (SQLValue) -> Value? {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> (SQLValue) -> Value? {
      { value in
        if value == .null, let none = noValue { return none }
        guard let value = Codec.decode(value) else { return nil }
        return value as? Value
      }
    }
    return open(meaning.codec)
  }

  /// nil as a `Value`, if it is an optional type.
  static var noValue: Value? {
    func open<Optional: ExpressibleByNilLiteral>(_ type: Optional.Type) -> Value? { Optional(nilLiteral: ()) as? Value }
    return (Value.self as? any ExpressibleByNilLiteral.Type).flatMap { open($0) }
  }
}

extension ColumnMeaning {
  /// Whether SQL sorts by the rank of an enum's case, not by its value.
  fileprivate var isRanked: Bool {
    if case .rawValue = semantics { true } else { false }
  }
}

extension QueryBuilder {
  /// What a key path of the model leads to, without the optional around it.
  ///
  /// `refusal`: the error for a property that is stored, but that no query may read.
  func term(
    _ keyPath: AnyKeyPath, refusal: (String, String?) -> SwiftDataError = SwiftDataError.unsupportedKeyPath
  ) throws -> Term {
    var term = try whole(keyPath, refusal: refusal)
    while case .optional(_, let wrapped) = term { term = wrapped }
    return term
  }

  /// What a key path of the model leads to.
  func whole(
    _ keyPath: AnyKeyPath, refusal: (String, String?) -> SwiftDataError = SwiftDataError.unsupportedKeyPath
  ) throws -> Term {
    let entity = root.entity
    let model = entity.name
    let field = entity.path(for: keyPath) == nil ? entity.fieldPath(for: keyPath) : nil
    guard let path = entity.path(for: keyPath) ?? field?.properties else {
      if entity.isIdentity(keyPath) { return .row(root) }
      if let list = entity.countedList(keyPath), case .elements(let elements) = try term(list) {
        return try translator.count(elements)
      }
      if let name = entity.ephemeralName(for: keyPath) { throw SwiftDataError.ephemeralKeyPath(name, model: model) }
      if let problem = entity.opacity(of: keyPath) {
        throw refusal("`\(keyPath.sourceText)` cannot be part of a query. \(problem)", model)
      }
      throw SwiftDataError.unsupportedKeyPath(
        "`\(keyPath.sourceText)` is no stored property of \(model).", model: model)
    }
    if let problem = path.last?.opacity {
      let name = path.map(\.name).joined(separator: "?.")
      throw refusal("`\(name)` cannot be part of a query. \(problem)", model)
    }
    return try field.map { try translator.term($0, of: root) } ?? translator.term(path, of: root)
  }

  /// The attribute that a key path leads to.
  func value(_ keyPath: AnyKeyPath) throws -> ValueTerm {
    switch try term(keyPath) {
    case .value(let value): return value
    case .external(let property): throw SwiftDataError.externalKeyPath(property)
    default:
      let model = root.entity.name
      throw SwiftDataError.unsupportedKeyPath("`\(keyPath.sourceText)` is no attribute of \(model).", model: model)
    }
  }

  /// A query for the rows that are left once `limit` and `offset` are applied.
  func limited() throws -> QueryBuilder {
    if limit == nil && offset == nil { return self }
    var result = self
    result.orders = []
    (result.limit, result.offset) = (nil, nil)
    result.replaceConditions(by: .inSelect(root.key, select([primaryKeyColumn])))
    return result
  }
}

extension AnyKeyPath {
  /// As in source code, as far as a key path knows: of a computed property only that it is one.
  var sourceText: String {
    // Without the step that a sort descriptor takes to another order.
    "\(self)".replacing(/\.<computed 0x[0-9a-f]+ \((Optional<)?Ordered(Text|Bool).*/, with: "")
      .replacing(/<computed 0x[0-9a-f]+ \((.*?)\)>/) { "(computed \($0.output.1))" }
  }
}
