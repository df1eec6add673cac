// What of SwiftUI its sources and tests use, declared as in Apple's framework. What is drawn is text.

/// A part of a screen.
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("This has no body: it is drawn by the screen.") }
}

@MainActor @resultBuilder public enum ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  public static func buildBlock<First: View, Second: View>(
    _ first: First, _ second: Second
  ) -> Pair<First, Second> {
    Pair(first: first, second: second)
  }
}

/// A view, or scene, that the screen draws itself.
@MainActor protocol Drawn {
  func draw(on screen: Screen, at path: String, _ environment: EnvironmentValues)
}

public struct Pair<First: View, Second: View>: View, Drawn {
  let first: First
  let second: Second

  public var body: Never { fatalError("This has no body: it is drawn by the screen.") }

  func draw(on screen: Screen, at path: String, _ environment: EnvironmentValues) {
    screen.draw(first, at: path + "/0", environment)
    screen.draw(second, at: path + "/1", environment)
  }
}

public struct Text: View, Drawn {
  let text: String

  public init(_ text: String) { self.text = text }

  public var body: Never { fatalError("This has no body: it is drawn by the screen.") }

  func draw(on screen: Screen, at path: String, _ environment: EnvironmentValues) { screen.texts.append(text) }
}
