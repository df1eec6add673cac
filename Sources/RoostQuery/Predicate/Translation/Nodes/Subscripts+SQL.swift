internal import Foundation
internal import RoostSQL

extension PredicateExpressions.DictionaryKeySubscript: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.lookUp(wrapped, key, valueType: Value.self, otherwise: .constant(Output.none as Any), self)
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(wrapped))[\(translator.source(key))]" }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let found = try translator.lookUp(
      wrapped, key, valueType: Default.Output.self, otherwise: .constant(Default.Output?.none as Any), self)
    return try translator.coalesce(
      found, { try translator.term(`default`) }, type: Output.self, keepsOptional: false, self)
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(wrapped))[\(translator.source(key)), default: \(translator.source(`default`))]"
  }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    if case .value(let value) = try translator.term(wrapped),
      case .constant(let index as Int) = try translator.term(index),
      let (element, isMissing) = JSONCollection(value)?.element(index)
    {
      translator.fail(when: isMissing)
      return element
    }
    return try translator.constantOrUnsupported(
      self, "SQL can take an element of a stored array by a captured position, and nothing else of the kind.")
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(wrapped))[\(translator.source(index))]" }
}

extension PredicateExpressions.CollectionRangeSubscript: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    if case .value(let value) = try translator.term(wrapped),
      case .constant(let range as Swift.Range<Int>) = try translator.term(range),
      let (elements, isMissing) = JSONCollection(value)?.slice(range)
    {
      translator.fail(when: isMissing)
      return .elements(elements)
    }
    return try translator.constantOrUnsupported(
      self, "SQL can take a part of a stored array between captured positions, and nothing else of the kind.")
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(wrapped))[\(translator.source(range))]" }
}

extension Translator {
  /// `[…][key]` of a captured dictionary, as an optional.
  fileprivate func lookUp<Base: PredicateExpression, Key: PredicateExpression>(
    _ dictionary: Base, _ key: Key, valueType: Any.Type, otherwise: Term, _ node: some PredicateExpression
  ) throws -> Term where Key.Output: Hashable {
    let base = try term(dictionary)
    let keyTerm = try term(key)
    if case .value(let value) = base, case .constant(let key) = keyTerm {
      if let found = JSONCollection(value)?.value(for: key) { return found }
      throw unsupported(
        node, "SQL can look into stored dictionaries of plain values by String and Int, without quotation marks.")
    }
    if case .constant = keyTerm { return try constantOrUnsupported(node, "SQL cannot look into a dictionary.") }
    guard case .constant(let value as any ConstantDictionary) = base else {
      throw unsupported(node, "SQL cannot look into a stored dictionary.")
    }
    let entries = value.entries
    guard entries.count <= 200 else {
      throw unsupported(node, "The captured dictionary has \(entries.count) entries, more than 200.")
    }
    var result = otherwise
    for (key, value) in entries {
      let found = Term.optional(isNil: .false, try lift(value, type: valueType, node))
      let type = optional(valueType)
      result = try choice(equal(keyTerm, .constant(key), node), found, result, type: type, node)
    }
    return result
  }

  private func optional(_ type: Any.Type) -> Any.Type {
    func open<Wrapped>(_ type: Wrapped.Type) -> Any.Type { Wrapped?.self }
    return _openExistential(type, do: open)
  }
}

private protocol ConstantDictionary {
  var entries: [(key: Any, value: Any)] { get }
}

extension Dictionary: ConstantDictionary {
  var entries: [(key: Any, value: Any)] { map { (key: $0.key as Any, value: $0.value as Any) } }
}
