/// What a graph of models must be after each edit, in plain dictionaries.
struct ReferenceGraph: Equatable {
  enum Kind: CaseIterable { case person, pass, item, loan, note, label }

  struct Node: Equatable {
    var kind: Kind
    var name = ""
    /// What a relationship to one refers to.
    var one: [String: Int] = [:]
    /// What a relationship to many refers to, in order.
    var many: [String: [Int]] = [:]
  }

  /// The two sides of a relationship; a side without a name has no property.
  struct Link {
    var kind: Kind
    var property: String
    var isToMany: Bool
    var otherKind: Kind
    var other: String?
    var isOtherToMany: Bool
  }

  static let links = [
    Link(kind: .person, property: "pass", isToMany: false, otherKind: .pass, other: "holder", isOtherToMany: false),
    Link(kind: .person, property: "team", isToMany: true, otherKind: .person, other: "boss", isOtherToMany: false),
    Link(kind: .person, property: "items", isToMany: true, otherKind: .item, other: "owner", isOtherToMany: false),
    Link(kind: .person, property: "loans", isToMany: true, otherKind: .loan, other: "borrower", isOtherToMany: false),
    Link(kind: .person, property: "notes", isToMany: true, otherKind: .note, other: "author", isOtherToMany: false),
    Link(kind: .person, property: "labels", isToMany: true, otherKind: .label, other: "people", isOtherToMany: true),
    Link(kind: .person, property: "favorites", isToMany: true, otherKind: .label, other: nil, isOtherToMany: true),
  ]

  var nodes: [Int: Node] = [:]
  /// Persons to be deleted who had loans: the save is refused while one of these still leads there.
  var denied: [Int: [Int]] = [:]

  /// The nodes where it makes no difference whether a list was ever set.
  var nodesWithoutEmptyLists: [Int: Node] {
    nodes.mapValues { node in
      var node = node
      node.many = node.many.filter { !$0.value.isEmpty }
      return node
    }
  }

  func numbers(_ kind: Kind) -> [Int] { nodes.filter { $0.value.kind == kind }.map(\.key).sorted() }

  mutating func insert(_ number: Int, _ kind: Kind) { nodes[number] = Node(kind: kind) }

  // MARK: - Links

  /// Sets the side that refers to one, from the other's list or single reference.
  mutating func setOne(_ number: Int, _ property: String, to target: Int?) {
    let former = nodes[number]?.one[property]
    if former == target { return }
    if let former { remove(number, from: former, counterpart(property)) }
    nodes[number]?.one[property] = target
    if let target { add(number, to: target, counterpart(property), of: property) }
  }

  /// Assigns a list.
  mutating func setMany(_ number: Int, _ property: String, to targets: [Int]) {
    let former = nodes[number]?.many[property] ?? []
    guard let link = Self.links.first(where: { $0.property == property || $0.other == property }) else { return }
    let back = link.property == property ? link.other : link.property
    let isBackToMany = link.property == property ? link.isOtherToMany : link.isToMany
    for target in former where !targets.contains(target) {
      if let back { remove(number, from: target, back) }
    }
    nodes[number]?.many[property] = targets
    for target in targets where !former.contains(target) {
      guard let back else { continue }
      if isBackToMany {
        nodes[target]?.many[back, default: []].append(number)
      } else {
        if let owner = nodes[target]?.one[back] { nodes[owner]?.many[property]?.removeAll { $0 == target } }
        nodes[target]?.one[back] = number
      }
    }
  }

  private func counterpart(_ property: String) -> String {
    for link in Self.links {
      if link.property == property { return link.other ?? "" }
      if link.other == property { return link.property }
    }
    return ""
  }

  private mutating func add(_ number: Int, to target: Int, _ property: String, of own: String) {
    guard let link = Self.links.first(where: { $0.property == property || $0.other == property }) else { return }
    if link.property == property ? link.isToMany : link.isOtherToMany {
      nodes[target]?.many[property, default: []].append(number)
    } else {
      if let former = nodes[target]?.one[property] { nodes[former]?.one[own] = nil }
      nodes[target]?.one[property] = number
    }
  }

  private mutating func remove(_ number: Int, from target: Int, _ property: String) {
    nodes[target]?.many[property]?.removeAll { $0 == number }
    if nodes[target]?.one[property] == number { nodes[target]?.one[property] = nil }
  }

  // MARK: - Deletion

  mutating func delete(_ number: Int) {
    guard let node = nodes[number] else { return }
    if node.kind == .person, let loans = node.many["loans"], !loans.isEmpty { denied[number] = loans }
    nodes[number] = nil
    let owned = (node.many["items"] ?? []) + (node.many["notes"] ?? []) + [node.one["pass"]].compactMap(\.self)
    for number in owned { delete(number) }
    for other in nodes.keys {
      for (property, target) in nodes[other]?.one ?? [:] where target == number { nodes[other]?.one[property] = nil }
      for (property, targets) in nodes[other]?.many ?? [:] where targets.contains(number) {
        nodes[other]?.many[property] = targets.filter { $0 != number }
      }
    }
  }

  /// Whether a save must be refused.
  func isDenied(since saved: ReferenceGraph) -> Bool {
    denied.contains { person, loans in
      saved.nodes[person] != nil && loans.contains { nodes[$0] != nil && nodes[$0]?.one["borrower"] == nil }
    }
  }
}
