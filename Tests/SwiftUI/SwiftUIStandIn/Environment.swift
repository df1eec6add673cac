public import Roost

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

/// What views are given by those around them.
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  public init() {}

  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// The window's. Foundation has none here, so that the type is Roost's.
  public internal(set) var undoManager: UndoManager?
}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
  final class Box {
    var values: EnvironmentValues?
  }

  private let keyPath: KeyPath<EnvironmentValues, Value>
  private let box = Box()

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  public var wrappedValue: Value { (box.values ?? EnvironmentValues())[keyPath: keyPath] }
}

extension Environment: Connected {
  func connect(at path: String, on screen: Screen, _ environment: EnvironmentValues) { box.values = environment }
}

extension View {
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View {
    SurroundedView(content: self, keyPath: keyPath, value: value)
  }
}

private struct SurroundedView<Content: View, Value>: View, Drawn {
  let content: Content
  let keyPath: WritableKeyPath<EnvironmentValues, Value>
  let value: Value

  var body: Never { fatalError("This has no body: it is drawn by the screen.") }

  func draw(on screen: Screen, at path: String, _ environment: EnvironmentValues) {
    var environment = environment
    environment[keyPath: keyPath] = value
    screen.draw(content, at: path + "/environment", environment)
  }
}

extension Scene {
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some Scene {
    SurroundedScene(content: self, keyPath: keyPath, value: value)
  }
}

private struct SurroundedScene<Content: Scene, Value>: Scene, Drawn {
  let content: Content
  let keyPath: WritableKeyPath<EnvironmentValues, Value>
  let value: Value

  var body: Never { fatalError("This has no body: it is drawn by the screen.") }

  func draw(on screen: Screen, at path: String, _ environment: EnvironmentValues) {
    var environment = environment
    environment[keyPath: keyPath] = value
    screen.draw(content, at: path + "/environment", environment)
  }
}
