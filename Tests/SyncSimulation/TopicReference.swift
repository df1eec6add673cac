/// What a device shows of topics, and of the pictures that go with them.
struct TopicFacts {
  /// The names of each topic's pictures, by its own.
  var topics: [String: Set<String>] = [:]
  var pictures: Set<String> = []
}

/// What users deleted, for seeing that what went with a topic is there again where the topic is.
struct TopicReference {
  /// How often users deleted each topic and picture.
  private var deletions: [String: Int] = [:]
  /// The pictures that went together with their topic.
  private var along: [(topic: String, picture: String)] = []
  /// The pictures that were taken out of a topic, which then are not its own any more.
  private var takenOut: Set<String> = []

  /// Notes what a user did: what the device showed before, and after.
  mutating func note(_ before: TopicFacts, _ after: TopicFacts) {
    let gone = before.pictures.subtracting(after.pictures)
    for picture in gone { deletions[picture, default: 0] += 1 }
    for (topic, pictures) in before.topics {
      guard let left = after.topics[topic] else {
        deletions[topic, default: 0] += 1
        along += pictures.intersection(gone).sorted().map { (topic, $0) }
        continue
      }
      takenOut.formUnion(pictures.subtracting(left))
    }
  }

  /// What is wrong with what all ended with; nil for nothing.
  ///
  /// `isKnown`: whether the server ever had a picture. One that was deleted before it was sent is nobody's.
  func problem(with facts: TopicFacts, isKnown: (String) -> Bool) -> String? {
    let lost = along.first { topic, picture in
      deletions[topic] == 1 && deletions[picture] == 1 && !takenOut.contains(picture) && facts.topics[topic] != nil
        && !facts.pictures.contains(picture) && isKnown(picture)
    }
    return lost.map { "\($0.picture) is gone with \($0.topic), which is there" }
  }
}
