/// Something that has a name, and perhaps another one in an earlier version.
package protocol Renamable {
  var name: String { get }
  /// nil when it is the same.
  var formerName: String? { get }
}

extension EntityDefinition: Renamable {
  package var formerName: String? { originalName == name ? nil : originalName }
}

extension EntityDefinition.Property: Renamable {
  package var formerName: String? { originalName == name ? nil : originalName }
}

/// Which of the stored ones each new one was.
package enum NameMatch {
  /// The indexes of old ones by those of the new ones. Nothing old is given to two new ones.
  package static func pairs<New: Renamable, Old: Renamable>(_ new: [New], _ old: [Old]) -> [Int: Int] {
    var pairs: [Int: Int] = [:]
    var taken: Set<Int> = []
    func isFree(_ name: String) -> Bool { old.indices.contains { !taken.contains($0) && old[$0].name == name } }
    // What is renamed in one version keeps its `originalName` in later ones, where it means nothing any more. And a
    // former name may be in use again: for what was renamed to it, or for something new, which takes nothing from what
    // is not called as anything was.
    let rules: [(New, Old) -> Bool] = [
      { $0.name == $1.name && $0.formerName != nil && $0.formerName == $1.formerName },
      { $0.formerName == $1.name && !isFree($0.name) },
      { $0.name == $1.name && $0.formerName == $1.formerName },
      { $0.formerName == $1.name },
      { $0.name == $1.name },
      { $1.formerName != nil && ($1.formerName == $0.formerName || $1.formerName == $0.name) },
    ]
    for rule in rules {
      var isGoingOn = true
      // Where names move on by one, the last is the first to be known.
      while isGoingOn {
        isGoingOn = false
        for (index, item) in new.enumerated() where pairs[index] == nil {
          guard let match = old.indices.first(where: { !taken.contains($0) && rule(item, old[$0]) }) else { continue }
          pairs[index] = match
          taken.insert(match)
          isGoingOn = true
        }
      }
    }
    return pairs
  }
}
