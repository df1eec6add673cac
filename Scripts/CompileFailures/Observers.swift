import Roost

// Such a program compiles, and its properties are stored.
@Model final class Tank {
  var level = 0.0 {
    // warning: 'willSet' of persisted property 'level' is never called, as in SwiftData; change it through a method
    willSet { print(newValue) }
    // warning: 'didSet' of persisted property 'level' is never called, as in SwiftData; change it through a method
    didSet { if level < 0 { level = oldValue } }
  }

  init() {}
}
