internal import Foundation

extension PredicateReader {
  static let collections: [String: Make] = [
    "SequenceContains": { reader, archived in
      let (node, type) = try reader.sequence(archived, "sequence")
      func open<Elements: Sequence>(_ type: Elements.Type) throws -> Node { try reader.contains(node, type, archived) }
      return try open(type)
    },
    "SequenceContainsWhere": { reader, archived in
      let (node, type) = try reader.sequence(archived, "sequence")
      func open<Elements: Sequence>(_ type: Elements.Type) throws -> Node {
        let sequence = try reader.decoded(node, as: type)
        return try reader.closure(archived, as: Bool.self) { Nodes.SequenceContainsWhere(sequence, builder: $0) }
      }
      return try open(type)
    },
    "SequenceAllSatisfy": { reader, archived in
      let (node, type) = try reader.sequence(archived, "sequence")
      func open<Elements: Sequence>(_ type: Elements.Type) throws -> Node {
        let sequence = try reader.decoded(node, as: type)
        return try reader.closure(archived, as: Bool.self) { Nodes.SequenceAllSatisfy(sequence, builder: $0) }
      }
      return try open(type)
    },
    "Filter": { reader, archived in
      let (node, type) = try reader.sequence(archived, "sequence")
      func open<Elements: Sequence>(_ type: Elements.Type) throws -> Node {
        let sequence = try reader.decoded(node, as: type)
        return try reader.closure(archived, as: Bool.self) { Nodes.Filter(sequence, $0) }
      }
      return try open(type)
    },
    "SequenceMinimum": { try $0.extreme($1, isMaximum: false) },
    "SequenceMaximum": { try $0.extreme($1, isMaximum: true) },
    "SequenceStartsWith": { reader, archived in
      let (node, type) = try reader.sequence(archived, "base")
      func open<Elements: Sequence>(_ type: Elements.Type) throws -> Node {
        try reader.startsWith(node, type, archived)
      }
      return try open(type)
    },
    "CollectionContainsCollection": { reader, archived in
      let (node, type) = try reader.sequence(archived, "base")
      func open<Elements: Collection>(_ type: Elements.Type) throws -> Node {
        try reader.containsPart(node, type, archived)
      }
      return try open(reader.requirement((any Collection.Type).self, type, archived))
    },
    "CollectionIndexSubscript": { reader, archived in
      let (node, type) = try reader.sequence(archived, "wrapped")
      func open<Elements: Collection>(_ type: Elements.Type) throws -> Node {
        try Nodes.CollectionIndexSubscript(
          wrapped: reader.decoded(node, as: type),
          index: reader.operand(archived, "index", as: Elements.Index.self))
      }
      return try open(reader.requirement((any Collection.Type).self, type, archived))
    },
    "CollectionRangeSubscript": { reader, archived in
      let (node, type) = try reader.sequence(archived, "wrapped")
      func open<Elements: Collection>(_ type: Elements.Type) throws -> Node {
        try Nodes.CollectionRangeSubscript(
          wrapped: reader.decoded(node, as: type),
          range: reader.operand(archived, "range", as: Swift.Range<Elements.Index>.self))
      }
      return try open(reader.requirement((any Collection.Type).self, type, archived))
    },
    "DictionaryKeySubscript": { try $0.entry($1, hasDefault: false) },
    "DictionaryKeyDefaultValueSubscript": { try $0.entry($1, hasDefault: true) },
  ]

  /// An operand that is a sequence, and its type. It is read once: one in another would be read twice as often.
  private func sequence(_ archived: ArchivedNode, _ name: String) throws -> (node: Node, type: any Sequence.Type) {
    let node = try operand(archived, name)
    return (node, try requirement((any Sequence.Type).self, Self.output(of: node), archived))
  }

  private func contains<Elements: Sequence>(
    _ node: Node, _ type: Elements.Type, _ archived: ArchivedNode
  ) throws -> Node {
    func open<Element: Equatable>(_ element: Element.Type) throws -> Node {
      func open<Same: Sequence<Element>>(_ same: Same.Type) throws -> Node {
        try Nodes.SequenceContains(
          sequence: decoded(node, as: same), element: operand(archived, "element", as: element))
      }
      return try open(requirement((any Sequence<Element>.Type).self, type, archived))
    }
    return try open(requirement((any Equatable.Type).self, Elements.Element.self, archived))
  }

  private func extreme(_ archived: ArchivedNode, isMaximum: Bool) throws -> Node {
    let (node, type) = try sequence(archived, "elements")
    func open<Elements: Sequence>(_ type: Elements.Type) throws -> Node {
      func open<Element: Comparable>(_ element: Element.Type) throws -> Node {
        func open<Same: Sequence<Element>>(_ same: Same.Type) throws -> Node {
          let elements = try decoded(node, as: same)
          return isMaximum ? Nodes.SequenceMaximum(elements: elements) : Nodes.SequenceMinimum(elements: elements)
        }
        return try open(requirement((any Sequence<Element>.Type).self, type, archived))
      }
      return try open(requirement((any Comparable.Type).self, Elements.Element.self, archived))
    }
    return try open(type)
  }

  private func startsWith<Elements: Sequence>(
    _ node: Node, _ type: Elements.Type, _ archived: ArchivedNode
  ) throws -> Node {
    func open<Element: Equatable>(_ element: Element.Type) throws -> Node {
      let (part, partType) = try sequence(archived, "prefix")
      func open<Base: Sequence<Element>, Prefix: Sequence<Element>>(
        _ base: Base.Type, _ prefix: Prefix.Type
      ) throws -> Node {
        try Nodes.SequenceStartsWith(
          base: decoded(node, as: base), prefix: decoded(part, as: prefix))
      }
      let required = (any Sequence<Element>.Type).self
      return try open(requirement(required, type, archived), requirement(required, partType, archived))
    }
    return try open(requirement((any Equatable.Type).self, Elements.Element.self, archived))
  }

  private func containsPart<Elements: Collection>(
    _ node: Node, _ type: Elements.Type, _ archived: ArchivedNode
  ) throws -> Node {
    func open<Element: Equatable>(_ element: Element.Type) throws -> Node {
      let (other, otherType) = try sequence(archived, "other")
      func open<Base: Collection<Element>, Part: Collection<Element>>(_ base: Base.Type, _ part: Part.Type) throws
        -> Node
      {
        try Nodes.CollectionContainsCollection(
          base: decoded(node, as: base), other: decoded(other, as: part))
      }
      let required = (any Collection<Element>.Type).self
      return try open(requirement(required, type, archived), requirement(required, otherType, archived))
    }
    return try open(requirement((any Equatable.Type).self, Elements.Element.self, archived))
  }

  private func entry(_ archived: ArchivedNode, hasDefault: Bool) throws -> Node {
    let wrapped = try operand(archived, "wrapped")
    func open<Entries: DictionaryType>(_ type: Entries.Type) throws -> Node {
      try type.entry(self, archived, wrapped, hasDefault: hasDefault)
    }
    return try open(requirement((any DictionaryType.Type).self, Self.output(of: wrapped), archived))
  }
}

private protocol DictionaryType {
  static func entry(
    _ reader: PredicateReader, _ archived: ArchivedNode, _ wrapped: PredicateReader.Node, hasDefault: Bool
  ) throws -> PredicateReader.Node
}

extension Dictionary: DictionaryType {
  fileprivate static func entry(
    _ reader: PredicateReader, _ archived: ArchivedNode, _ wrapped: PredicateReader.Node, hasDefault: Bool
  ) throws -> PredicateReader.Node {
    let wrapped = try reader.decoded(wrapped, as: Self.self)
    let key = try reader.operand(archived, "key", as: Key.self)
    guard hasDefault else { return PredicateExpressions.DictionaryKeySubscript(wrapped: wrapped, key: key) }
    return try PredicateExpressions.DictionaryKeyDefaultValueSubscript(
      wrapped: wrapped, key: key, default: reader.operand(archived, "default", as: Value.self))
  }
}
