import Foundation
import SwiftData

enum Condition: String, Codable {
  case new, used, worn
}

/// Twelve properties of the common types.
@Model final class Item {
  var name: String
  var details: String?
  var count: Int
  var minimum: Int
  var price: Double
  var weight: Double?
  var isActive: Bool
  var isHidden: Bool
  var created: Date
  var sold: Date?
  var condition: Condition
  var identifier: UUID

  init(name: String) {
    self.name = name
    count = 0
    minimum = 0
    price = 0
    isActive = true
    isHidden = false
    created = .now
    condition = .new
    identifier = UUID()
  }
}
