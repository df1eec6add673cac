// A library that knows nothing of SwiftData, with types of names that anybody may use and that Roost has too.

public struct Aggregate {
  public let total: Int

  public init(total: Int) { self.total = total }
}

public enum Column: String, Codable, CaseIterable { case left, right }

public struct MigrationStep { public init() {} }

public struct SearchHit { public init() {} }

public struct SQL: ExpressibleByStringLiteral {
  public let text: String

  public init(stringLiteral text: String) { self.text = text }
}

@propertyWrapper public struct Selection {
  public var wrappedValue: Int

  public init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}
