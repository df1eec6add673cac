import Foundation
import Roost
import Testing

@Model private final class Team {
  @Relationship(minimumModelCount: 1, maximumModelCount: 3, inverse: \Player.team) var players: [Player]
  @Relationship(minimumModelCount: 2, inverse: \Player.reserveOf) var reserves: [Player]?

  init(players: [Player]) { self.players = players }
}

@Model private final class Player {
  var team: Team?
  var reserveOf: Team?

  init() {}
}

@Suite struct CountTests {
  private let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Team.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  @Test(arguments: [0, 4])
  func `a save refuses a list with too few or too many models`(count: Int) throws {
    context.insert(Team(players: (0..<count).map { _ in Player() }))
    try expectFailure("players")
  }

  @Test func `a save counts what the other side adds and a deletion takes away`() throws {
    let players = [Player(), Player(), Player()]
    let team = Team(players: players)
    context.insert(team)
    try context.save()
    let fourth = Player()
    fourth.team = team
    try expectFailure("players")
    context.delete(players[0])
    try context.save()
    #expect(Set(team.players) == [players[1], players[2], fourth])
    team.players.forEach { context.delete($0) }
    try expectFailure("players")
    context.rollback()
    #expect(team.players.count == 3)
  }

  @Test func `an optional list may be nil, and otherwise keeps to its bounds`() throws {
    let team = Team(players: [Player()])
    context.insert(team)
    try context.save()
    team.reserves = [Player()]
    try expectFailure("reserves")
    team.reserves?.append(Player())
    try context.save()
    team.reserves = nil
    try context.save()
  }

  /// The failed save must leave the store as it was, too.
  private func expectFailure(_ property: String) throws {
    let before = try ModelContext(context.container).fetchCount(FetchDescriptor<Player>())
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.model == "Team" && error?.property == property)
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Player>()) == before)
    #expect(context.hasChanges)
  }
}
