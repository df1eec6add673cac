import Foundation
import Roost

@Model
final class Order {
  @Attribute(.unique) var orderID: Int
  var customerID: String
  var employeeID: Int
  var orderDate: String
  var requiredDate: String
  var shippedDate: String?
  var shipVia: Int
  var freight: Double
  var shipName: String
  var shipAddress: String
  var shipCity: String
  var shipRegion: String?
  var shipPostalCode: String?
  var shipCountry: String

  init(_ row: OrderRow) {
    orderID = row.orderID
    customerID = row.customerID
    employeeID = row.employeeID
    orderDate = row.orderDate
    requiredDate = row.requiredDate
    shippedDate = row.shippedDate
    shipVia = row.shipVia
    freight = row.freight
    shipName = row.shipName
    shipAddress = row.shipAddress
    shipCity = row.shipCity
    shipRegion = row.shipRegion
    shipPostalCode = row.shipPostalCode
    shipCountry = row.shipCountry
  }
}

extension OrderRow {
  fileprivate init(_ order: Order) {
    self.init(
      orderID: order.orderID, customerID: order.customerID, employeeID: order.employeeID, orderDate: order.orderDate,
      requiredDate: order.requiredDate, shippedDate: order.shippedDate, shipVia: order.shipVia,
      freight: order.freight, shipName: order.shipName, shipAddress: order.shipAddress, shipCity: order.shipCity,
      shipRegion: order.shipRegion, shipPostalCode: order.shipPostalCode, shipCountry: order.shipCountry)
  }
}

extension NorthwindWorkload {
  /// A new context for each fetch, which goes with its result: no row is registered beforehand.
  static func roost(in folder: URL) throws -> Round {
    let store = ModelConfiguration(measured: folder.appending(path: "filled.store"))
    let container = try ModelContainer(for: Order.self, configurations: store)
    let context = ModelContext(container)
    for row in rows { context.insert(Order(row)) }
    try context.save()
    return round {
      let context = ModelContext(container)
      return (context, try context.fetch(FetchDescriptor<Order>()))
    } check: { _, found in
      try check(found.map(OrderRow.init), "roost")
    }
  }
}
