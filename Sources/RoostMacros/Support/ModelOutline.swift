import SwiftSyntax
import Synchronization

/// What a property of a `@Model` class needs to know of the class.
///
/// The compiler asks for the attributes of each property anew, with the whole class. In a debug build looking through
/// it each time took a third of what the macros take for a model of 30 properties, so the last one is remembered.
struct ModelOutline {
  /// The names of the persisted properties, in their order.
  let names: [String]
  let hasSuperclass: Bool

  private struct Key: Equatable {
    let text: String
    let allowsConstants: Bool
  }

  private static let last = Mutex<(key: Key, outline: ModelOutline)?>(nil)

  static func of(_ declaration: ClassDeclSyntax, allowsConstants: Bool) -> ModelOutline {
    let key = Key(text: declaration.description, allowsConstants: allowsConstants)
    return last.withLock { last in
      if let last, last.key == key { return last.outline }
      let model = ModelClass(declaration, allowsConstants: allowsConstants)
      let outline = ModelOutline(names: model.properties.map(\.name), hasSuperclass: model.possibleSuperclass != nil)
      last = (key, outline)
      return outline
    }
  }
}
