import Observation
public import Roost

/// Draws views as text, and draws them again when what they read has changed: what SwiftUI does around RoostSwiftUI.
@MainActor public final class Screen {
  /// What is shown, a line a `Text`.
  public internal(set) var texts: [String] = []
  /// The animations in force when what is shown was changed, the last change last.
  public private(set) var animations: [Animation?] = []
  var states: [String: AnyObject] = [:]
  private var drawAll: (Screen) -> Void = { _ in }
  private var isOutdated = false
  private let (redraws, redrawn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Draws what `content` returns, which is asked anew each time.
  public init<Content: View>(undoManager: UndoManager? = nil, _ content: @escaping () -> Content) {
    var environment = EnvironmentValues()
    environment.undoManager = undoManager
    drawAll = { [environment] in $0.draw(content(), at: "", environment) }
    draw()
  }

  /// Draws the windows of a scene.
  public init<Content: Scene>(scene content: @escaping () -> Content) {
    drawAll = { $0.draw(content(), at: "", EnvironmentValues()) }
    draw()
  }

  /// Draws everything anew, as where a view around it changes.
  public func draw() {
    texts = []
    drawAll(self)
  }

  /// Runs `body`, and returns once `texts` are these. When they never are, it throws at the test's time limit.
  public func show(_ lines: [String], after body: () throws -> Void) async throws {
    try body()
    while texts != lines {
      var iterator = redraws.makeAsyncIterator()
      if await iterator.next() == nil { throw NeverShown(expected: lines, shown: texts) }
    }
  }

  func draw(_ view: some View, at path: String, _ environment: EnvironmentValues) {
    connect(view, at: path, environment)
    if let drawn = view as? any Drawn { return drawn.draw(on: self, at: path, environment) }
    draw(observing { view.body }, at: "\(path)/\(type(of: view))", environment)
  }

  func draw(_ scene: some Scene, at path: String, _ environment: EnvironmentValues) {
    connect(scene, at: path, environment)
    if let drawn = scene as? any Drawn { return drawn.draw(on: self, at: path, environment) }
    draw(observing { scene.body }, at: "\(path)/\(type(of: scene))", environment)
  }

  private func observing<Body>(_ body: () -> Body) -> Body {
    withObservationTracking(body) { [weak self] in
      MainActor.assumeIsolated { self?.outdate() }
    }
  }

  private func outdate() {
    if isOutdated { return }
    isOutdated = true
    animations.append(Transaction.currentAnimation)
    Task {
      isOutdated = false
      draw()
      redrawn.yield()
    }
  }

  /// Fills in the properties of a view, those inside others first.
  private func connect(_ owner: Any, at path: String, _ environment: EnvironmentValues) {
    for (label, value) in Mirror(reflecting: owner).children {
      guard var property = value as? any DynamicProperty else { continue }
      let path = "\(path).\(label ?? "")"
      connect(property, at: path, environment)
      (property as? any Connected)?.connect(at: path, on: self, environment)
      property.update()
    }
  }
}

struct NeverShown: Error {
  let expected: [String]
  let shown: [String]
}
