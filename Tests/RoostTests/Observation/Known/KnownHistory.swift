import Foundation
import Roost

/// What history tells, replayed from places on the way, and who observes it.
@MainActor final class KnownHistory {
  private struct Place {
    let token: DefaultHistoryToken?
    let rows: [PersistentIdentifier: SharedState.Row]
  }

  private let container: ModelContainer
  private let observer: HistoryObserver
  private var places: [Place] = []
  private var seenEvents = 0
  private var seenToken: DefaultHistoryToken?

  init(_ container: ModelContainer) throws {
    self.container = container
    observer = try HistoryObserver(modelContainer: container)
    try keepPlace()
    seenToken = places[0].token
  }

  private func transactions(after token: DefaultHistoryToken?) throws -> [DefaultHistoryTransaction] {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let token { descriptor.predicate = #Predicate { $0.token > token } }
    return try ModelContext(container).fetchHistory(descriptor)
  }

  /// Everything that is stored, with the last token by then.
  func keepPlace() throws {
    let token = try transactions(after: nil).last?.token
    places.append(Place(token: token, rows: try SharedState(ModelContext(container)).rows))
  }

  /// Places before what is forgotten cannot be asked for any more.
  func forget() { (places, seenToken) = ([], nil) }

  /// An observer has counted something if there is something.
  func checkObserver(_ tally: KnownTally) async throws {
    // What other programs write is noticed by whoever reads.
    _ = try container.mainContext.fetchCount(FetchDescriptor<SharedTag>())
    await waitUntilTold(container)
    guard let last = try transactions(after: seenToken).last else { return }
    if observer.eventCounter == seenEvents {
      throw SharedMismatch(message: "an observer of history has missed something")
    }
    tally.note(.history)
    (seenEvents, seenToken) = (observer.eventCounter, last.token)
  }

  /// Done again from any place, the changes lead to the rows that there are.
  func replay(_ tally: KnownTally) throws {
    let stored = try SharedState(ModelContext(container)).rows
    for (number, place) in places.enumerated() {
      var rows = place.rows
      for change in try transactions(after: place.token).flatMap(\.changes) {
        try apply(change, to: &rows, stored, tally)
      }
      if Set(rows.keys) != Set(stored.keys) { throw SharedMismatch(message: "from place \(number) other rows") }
      for (identifier, row) in rows {
        guard let other = stored[identifier], let difference = row.difference(from: other) else { continue }
        throw SharedMismatch(message: "from place \(number): \(difference)")
      }
    }
  }

  private func apply(
    _ change: HistoryChange, to rows: inout [PersistentIdentifier: SharedState.Row],
    _ stored: [PersistentIdentifier: SharedState.Row], _ tally: KnownTally
  ) throws {
    let identifier = change.changedPersistentIdentifier
    let now = stored[identifier]
    switch change {
    case .insert:
      tally.note(.insertion)
      rows[identifier] = now ?? SharedState.Row(kind: "gone", name: "", number: 0)
    case .delete:
      tally.note(.deletion)
      rows[identifier] = nil
    case .update(let update):
      tally.note(.update)
      guard let now else { return }
      for property in Self.properties(update) { rows[identifier]?.copy(property, from: now) }
    }
  }

  private static func properties(_ update: some HistoryUpdate) -> [String] {
    update.updatedAttributes.compactMap { names[$0 as AnyKeyPath] }
  }

  private static let names: [AnyKeyPath: String] = [
    \SharedFolder.name: "name", \SharedFolder.number: "number", \SharedFolder.parent: "parent",
    \SharedFolder.badge: "badge", \SharedFolder.cover: "cover", \SharedFolder.tags: "tags",
    \SharedBadge.name: "name", \SharedBadge.number: "number", \SharedBadge.holder: "holder",
    \SharedFile.name: "name", \SharedFile.number: "number", \SharedFile.folder: "folder",
    \SharedPage.name: "name", \SharedPage.number: "number", \SharedPage.folder: "folder",
    \SharedTag.name: "name", \SharedTag.number: "number", \SharedTag.folders: "folders",
    \SharedLock.name: "name", \SharedLock.number: "number", \SharedLock.folder: "folder",
  ]
}

extension SharedState.Row {
  /// The lists whose members refer to their owner by a column of their own are the members' changes.
  private static let lists = ["tags", "folders"]

  fileprivate mutating func copy(_ property: String, from other: Self) {
    switch property {
    case "name": name = other.name
    case "number": number = other.number
    default: (one[property], many[property]) = (other.one[property], other.many[property])
    }
  }

  fileprivate func difference(from other: Self) -> String? {
    if name != other.name { return "name \(name), stored is \(other)" }
    if number != other.number { return "number \(number), stored is \(other)" }
    for property in Set(one.keys).union(other.one.keys) where one[property] != other.one[property] {
      return "\(property) of \(other) is another"
    }
    for property in Self.lists where many[property] != other.many[property] {
      return "\(property) of \(other) are others"
    }
    return nil
  }
}
