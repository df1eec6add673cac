extension ModelConfiguration {
  /// Which app group's folder the store is in.
  ///
  /// There are app groups on Apple platforms only; elsewhere the setting is kept and has no effect.
  public struct GroupContainer: Hashable, Sendable {
    private enum Choice: Hashable {
      case automatic, none
      case named(String)
    }

    private let choice: Choice

    var identifier: String? {
      if case .named(let name) = choice { name } else { nil }
    }

    /// The program's first app group, when it has one.
    public static var automatic: GroupContainer { GroupContainer(choice: .automatic) }

    /// No app group.
    public static var none: GroupContainer { GroupContainer(choice: .none) }

    /// The app group of that name.
    public static func identifier(_ groupName: String) -> GroupContainer {
      GroupContainer(choice: .named(groupName))
    }
  }

  /// Which of the user's databases at the server the store is synced with, where `RoostSync` gives it one.
  public struct CloudKitDatabase: Hashable, Sendable {
    private enum Choice: Hashable {
      case automatic, none
      case named(String)
    }

    private let choice: Choice

    var identifier: String? {
      if case .named(let name) = choice { name } else { nil }
    }

    /// The database that is called as the configuration, where there is a server.
    public static var automatic: CloudKitDatabase { CloudKitDatabase(choice: .automatic) }

    /// No database: the store is not synced.
    public static var none: CloudKitDatabase { CloudKitDatabase(choice: .none) }

    /// The database of that name. Without a server the container is not made.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(choice: .named(privateDBName))
    }
  }
}
