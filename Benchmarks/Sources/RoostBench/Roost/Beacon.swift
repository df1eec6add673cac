import Roost

/// What another process counts up, a commit each.
@Model
final class Beacon {
  @Attribute(.unique) var name: String
  var count: Int

  init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}
