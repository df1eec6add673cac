import Foundation
import SwiftData

/// Thirty properties of the common types.
@Model final class Wide {
  var name: String
  var details: String?
  var count: Int
  var limit: Int?
  var price: Double
  var weight: Double?
  var isActive: Bool
  var created: Date
  var sold: Date?
  var identifier: UUID
  var name2: String
  var details2: String?
  var count2: Int
  var limit2: Int?
  var price2: Double
  var weight2: Double?
  var isActive2: Bool
  var created2: Date
  var sold2: Date?
  var identifier2: UUID
  var name3: String
  var details3: String?
  var count3: Int
  var limit3: Int?
  var price3: Double
  var weight3: Double?
  var isActive3: Bool
  var created3: Date
  var sold3: Date?
  var identifier3: UUID

  init(name: String) {
    self.name = name
    count = 0
    price = 0
    isActive = false
    created = .now
    identifier = UUID()
    name2 = ""
    count2 = 0
    price2 = 0
    isActive2 = false
    created2 = .now
    identifier2 = UUID()
    name3 = ""
    count3 = 0
    price3 = 0
    isActive3 = false
    created3 = .now
    identifier3 = UUID()
  }
}
