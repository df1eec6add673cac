import Foundation

/// An order as the table of the Northwind example has it: 14 columns, most of them short texts.
struct OrderRow: Codable, Equatable {
  var orderID: Int
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
}

extension OrderRow {
  /// The first `count` orders, of 91 customers and with numbers from 10,248, as in Northwind.
  ///
  /// The lengths are Northwind's: most texts fit into the 15 bytes that Swift keeps without an allocation; the dates
  /// with their 19 bytes, most addresses and half of the names do not.
  static func make(_ count: Int) -> [OrderRow] {
    var random = SplitMix64(seed: 830)
    let customers = (0..<91).map { _ in Customer(&random) }
    return (0..<count).map { index in
      let customer = customers[Int(random.next() % 91)]
      return OrderRow(
        orderID: 10_248 + index, customerID: customer.id, employeeID: 1 + Int(random.next() % 9),
        orderDate: date(&random), requiredDate: date(&random),
        // Some wait to be shipped.
        shippedDate: random.next() % 40 == 0 ? nil : date(&random),
        shipVia: 1 + Int(random.next() % 3), freight: Double(random.next() % 50_000) / 4,
        shipName: customer.name, shipAddress: customer.address, shipCity: customer.place.city,
        shipRegion: customer.place.region, shipPostalCode: customer.postalCode, shipCountry: customer.place.country)
    }
  }

  private static func date(_ random: inout SplitMix64) -> String {
    func part(_ first: Int, _ count: Int) -> String {
      let number = first + Int(random.next() % UInt64(count))
      return number < 10 ? "0\(number)" : "\(number)"
    }
    return "\(part(2012, 12))-\(part(1, 12))-\(part(1, 28)) \(part(0, 24)):\(part(0, 60)):\(part(0, 60))"
  }
}

private struct Customer {
  let id, name, address: String
  let postalCode: String?
  let place: (city: String, region: String?, country: String)

  init(_ random: inout SplitMix64) {
    func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
    func digits(_ count: Int) -> String { (0..<count).map { _ in "\(random.next() % 10)" }.joined() }
    id = (0..<5).map { _ in pick(Self.letters) }.joined()
    name = pick(Self.names) + " " + pick(Self.trades)
    address = pick(Self.streets) + " " + digits(pick([1, 2, 3]))
    place = pick(Self.places)
    // Irish orders have none in Northwind.
    postalCode = place.country == "Ireland" ? nil : digits(5)
  }

  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { String($0) }
  private static let names = [
    "Alder", "Brook & Son", "Casa Verde", "Du Lac", "Elm", "Fagerholm", "Goldene Gans", "Holt", "Ivory", "Kestrel",
  ]
  private static let trades = ["Foods", "Market", "Delikatessen", "Comidas para llevar", "Stores Ltd.", "Imports"]
  private static let streets = [
    "Main St.", "rue du Port", "Kirchgasse", "Av. dos Pinheiros", "Lower Mill Lane", "Strada Provinciale", "Torikatu",
  ]
  private static let places: [(city: String, region: String?, country: String)] = [
    ("Reims", nil, "France"), ("Lyon", nil, "France"), ("Graz", nil, "Austria"), ("Cunewalde", nil, "Germany"),
    ("Frankfurt a.M.", nil, "Germany"), ("London", nil, "UK"), ("Cowes", "Isle of Wight", "UK"),
    ("Cork", "Co. Cork", "Ireland"), ("Rio de Janeiro", "RJ", "Brazil"), ("Campinas", "SP", "Brazil"),
    ("Albuquerque", "NM", "USA"), ("Boise", "ID", "USA"), ("San Francisco", "CA", "USA"), ("Torino", nil, "Italy"),
    ("Barquisimeto", "Lara", "Venezuela"), ("Oulu", nil, "Finland"), ("Stavern", nil, "Norway"),
  ]
}
