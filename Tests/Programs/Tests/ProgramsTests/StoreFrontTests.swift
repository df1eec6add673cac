import Foundation
import Observation
import SwiftData
import Testing

@Model final class Product {
  #Index<Product>([\.price], [\.name])
  @Attribute(.unique) var sku: String
  var name: String
  var price: Double
  var orders: [OrderLine] = []

  init(sku: String, name: String, price: Double) {
    (self.sku, self.name, self.price) = (sku, name, price)
  }
}

@Model final class OrderLine {
  var quantity: Int
  @Relationship(inverse: \Product.orders) var product: Product?

  init(_ product: Product, quantity: Int) {
    self.product = product
    self.quantity = quantity
  }
}

@MainActor @Observable final class StoreFront {
  private let context: ModelContext
  private(set) var products: [Product] = []
  private(set) var errorMessage: String?
  var searchText = "" { didSet { reload() } }

  init(context: ModelContext) {
    self.context = context
    reload()
  }

  func reload() {
    do {
      let text = searchText
      products = try context.fetch(
        FetchDescriptor(
          predicate: #Predicate<Product> { text.isEmpty || $0.name.localizedStandardContains(text) },
          sortBy: [SortDescriptor(\.name)]))
    } catch {
      errorMessage = error.localizedDescription
    }
  }

  func buy(_ product: Product, quantity: Int = 1) throws {
    context.insert(OrderLine(product, quantity: quantity))
    try context.save()
    reload()
  }
}

@MainActor final class Persistence {
  static let shared = Persistence()
  let container: ModelContainer

  private init() {
    let schema = Schema([Product.self, OrderLine.self], version: Schema.Version(1, 0, 0))
    let configuration = ModelConfiguration(
      "StoreFront", schema: schema, isStoredInMemoryOnly: true, allowsSave: true, groupContainer: .none,
      cloudKitDatabase: .none)
    do {
      container = try ModelContainer(for: schema, configurations: configuration)
    } catch {
      fatalError("Could not create ModelContainer: \(error)")
    }
  }
}

/// In the style of apps with a view model over a main context.
@MainActor @Suite(.serialized) struct StoreFrontTests {
  let context = Persistence.shared.container.mainContext

  init() throws {
    try context.delete(model: OrderLine.self)
    try context.delete(model: Product.self)
    context.insert(Product(sku: "1", name: "Tea", price: 3.5))
    context.insert(Product(sku: "2", name: "Coffee", price: 7.25))
    try context.save()
  }

  @Test func `A view model shows what it searches for, and views learn of it`() throws {
    let store = StoreFront(context: context)
    #expect(store.products.map(\.name) == ["Coffee", "Tea"])
    nonisolated(unsafe) var changes = 0
    withObservationTracking {
      _ = store.products.map(\.price)
    } onChange: {
      changes += 1
    }
    store.searchText = "tea"
    #expect(changes == 1)
    #expect(store.products.map(\.sku) == ["1"])
    #expect(store.errorMessage == nil)
  }

  @Test func `A view of a model learns of its edits, and of other contexts' saves`() throws {
    let tea = try #require(StoreFront(context: context).products.last)
    nonisolated(unsafe) var isChanged = false
    withObservationTracking {
      _ = tea.price
    } onChange: {
      isChanged = true
    }
    tea.price *= 2
    #expect(isChanged && tea.price == 7)
  }

  @Test func `A save tells which models it wrote`() throws {
    nonisolated(unsafe) var inserted: [PersistentIdentifier] = []
    let token = NotificationCenter.default.addObserver(forName: ModelContext.didSave, object: context, queue: nil) {
      note in
      let key = ModelContext.NotificationKey.insertedIdentifiers.rawValue
      inserted += note.userInfo?[key] as? [PersistentIdentifier] ?? []
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let store = StoreFront(context: context)
    try store.buy(store.products[0], quantity: 2)
    #expect(inserted.map(\.entityName) == ["OrderLine"])
    let line = try #require(context.model(for: inserted[0]) as? OrderLine)
    #expect(context.registeredModel(for: inserted[0]) as OrderLine? === line)
    #expect(line.product?.name == "Coffee" && line.quantity == 2)
    #expect(store.products[0].orders == [line])
    let total = store.products[0].orders.reduce(0) { $0 + Double($1.quantity) * ($1.product?.price ?? 0) }
    #expect(total == 14.5)
  }

  @Test func `Identifiers are kept as text, and lead back to their models`() throws {
    let tea = try #require(StoreFront(context: context).products.last)
    let data = try JSONEncoder().encode(tea.persistentModelID)
    let identifier = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
    #expect(identifier == tea.persistentModelID)
    #expect((context.model(for: identifier) as? Product)?.sku == "1")
    #expect(
      identifier.storeIdentifier == Persistence.shared.container.storeIdentifier(forConfigurationNamed: "StoreFront"))
  }
}
