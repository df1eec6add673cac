import Roost

struct Colour { var red = 0.5 }

enum Size: String { case small, large }

protocol Brush {}

typealias Anything = Any

// Types that no column can keep. What is said of a property's expansion is said of what follows the property.
@Model final class Canvas {
  // error: '_storage(for:)' is unavailable: a persisted property holds a Codable value, a model or several; make the type
  var colour: Colour?; var title = ""
  // error: '_storage(for:)' is unavailable: a persisted property holds a Codable value, a model or several; make the type
  var size: Size; var number = 1
  // error: '_storage(for:)' is unavailable: a persisted property holds a Codable value, a model or several; make the type
  var brush: Brush?; var place = 1
  // error: '_storage(for:)' is unavailable: a persisted property holds a Codable value, a model or several; make the type
  var table: [String: Anything] = [:]; var count = 1

  init(size: Size) { self.size = size }
}
