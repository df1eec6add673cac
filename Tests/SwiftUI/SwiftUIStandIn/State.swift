/// A stored variable of a view that SwiftUI fills in before it draws the view.
public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

/// A property that the screen fills in.
@MainActor protocol Connected {
  func connect(at path: String, on screen: Screen, _ environment: EnvironmentValues)
}

/// A value that outlives the view's own. Setting it does not draw the view here.
@propertyWrapper public struct State<Value>: DynamicProperty {
  final class Location {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  /// What copies of the property share.
  private final class Box {
    var location: Location
    init(_ location: Location) { self.location = location }
  }

  private let box: Box

  public init(initialValue value: Value) { box = Box(Location(value)) }

  public init(wrappedValue value: Value) { self.init(initialValue: value) }

  public var wrappedValue: Value {
    get { box.location.value }
    nonmutating set { box.location.value = newValue }
  }
}

extension State: Connected {
  func connect(at path: String, on screen: Screen, _ environment: EnvironmentValues) {
    if let kept = screen.states[path] as? Location { box.location = kept } else { screen.states[path] = box.location }
  }
}
