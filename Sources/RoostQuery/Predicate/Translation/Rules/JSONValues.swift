internal import Foundation
import RoostCore
internal import RoostSQL

/// Values inside JSON texts, in the form that values of their type have in a column of their own.
enum JSONValues {
  /// nil when the type is nothing that SQL could compare.
  static func term(_ type: Any.Type, isOptional: Bool, at place: JSONPlace) -> Term? {
    guard let meaning = ColumnMeaning.inJSON(CompositeFields.unwrapped(type)) else { return nil }
    var value = ValueTerm(sql: sql(meaning, place), meaning: meaning)
    switch meaning.baseSemantics {
    case .json: value.json = place
    case .real, .date: value.mayBeNaN = true
    default: break
    }
    if place.isIndexed { value.indexed = meaning.indexed(place) }
    return isOptional ? .optional(isNil: .isNull(place.extracted), .value(value)) : .value(value)
  }

  /// A property of a struct. Throws when SQL cannot find or compare it.
  static func term(_ path: CompositePath, at place: JSONPlace) throws -> Term {
    let steps = path.keys.map { SQLJSONStep.key($0) }
    guard steps.allSatisfy(\.isFindable) else {
      throw SwiftDataError.unsupportedKeyPath(
        "SQL cannot find the JSON key \(path.keys): it has quotation marks, backslashes or control characters.")
    }
    if let term = term(path.type, isOptional: path.isOptional, at: place.inside(steps)) { return term }
    throw SwiftDataError.unsupportedKeyPath("SQL cannot compare values of the type \(path.type).")
  }

  private static func sql(_ meaning: ColumnMeaning, _ place: JSONPlace) -> SQLExpression {
    switch meaning.baseSemantics {
    case .boolean, .integer, .url: place.extracted
    case .unsigned: .function(.jsonUnsigned, [place.exactText])
    case .real: .function(isFloat(meaning) ? .jsonFloat : .jsonDouble, [place.exactText])
    case .date: .function(.jsonDouble, [place.exactText])
    case .string: string(place)
    case .data: .function(.base64, [place.extracted])
    case .uuid: .function(.unhex, [.function(.replace, [place.extracted, .text("-"), .text("")])])
    case .decimal, .json, .opaque, .transformed, .rawValue: place.exactText
    }
  }

  private static func isFloat(_ meaning: ColumnMeaning) -> Bool {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Bool {
      Codec.Value.self == Float.self
        || (Codec.Value.self as? any RawRepresentable.Type).map { rawType($0) == Float.self } ?? false
    }
    func rawType<Value: RawRepresentable>(_ type: Value.Type) -> Any.Type { Value.RawValue.self }
    return open(meaning.codec)
  }

  /// Whether a JSON text has a string with a NUL, where SQLite ends it, values and keys alike.
  static func hasNUL(_ json: SQLExpression) -> SQLExpression { .function(.instr, [json, .text("\\u0000")]) }

  private static func string(_ place: JSONPlace) -> SQLExpression {
    let array = SQLExpression.binary(
      .concatenate, .binary(.concatenate, .text("["), place.exactText), .text("]"))
    let exact = SQLExpression.function(.jsonString, [array, .integer(0)])
    return .conditional([SQLBranch(when: hasNUL(place.text), then: exact)], otherwise: place.extracted)
  }
}
