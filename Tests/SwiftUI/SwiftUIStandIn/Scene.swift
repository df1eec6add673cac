/// A part of a program that shows windows.
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

@MainActor @resultBuilder public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene, Drawn {
  let content: Content

  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  public var body: Never { fatalError("This has no body: it is drawn by the screen.") }

  func draw(on screen: Screen, at path: String, _ environment: EnvironmentValues) {
    screen.draw(content, at: path + "/window", environment)
  }
}
