extension ModelConfiguration.HistoryOptions {
  /// The options as a file keeps them: a line each.
  var fact: String {
    if !isRecorded { return "off" }
    let age = maximumAge.map { "age \($0.components.seconds)" }
    let count = maximumCount.map { "count \($0)" }
    let unread = maximumUnreadAge.map { "unread \($0.components.seconds)" }
    return ([age, count, unread].compactMap(\.self) + excludedEntities.sorted().map { "without \($0)" }).joined(
      separator: "\n")
  }

  /// Reads what a file keeps; a line that says something else is none.
  init(fact: String) {
    self.init(isRecorded: fact != "off", maximumAge: nil, maximumCount: nil, maximumUnreadAge: nil)
    for line in fact.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { continue }
      switch words[0] {
      case "age": maximumAge = Int64(words[1]).map { .seconds($0) }
      case "count": maximumCount = Int(words[1])
      case "unread": maximumUnreadAge = Int64(words[1]).map { .seconds($0) }
      case "without": excludedEntities.insert(String(words[1]))
      default: break
      }
    }
  }
}
