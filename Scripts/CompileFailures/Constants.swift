import Foundation
import Roost

@Model final class Gauge {
  // error: persisted property 'id' cannot be 'let' in the Swift 6 language mode, because the store fills it in after 'init'
  @Attribute(.unique) let id: UUID
  @Transient let unit = "m"
  @Transient var text: String { unit }

  init(id: UUID) { self.id = id }
}
