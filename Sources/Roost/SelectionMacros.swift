public import RoostCore

/// Makes a struct the result of a query: its properties are columns, or what the database makes of many rows.
///
///     @Selection(of: Flight.self) struct Delay {
///       @Select(\Flight.carrier?.name) var carrier: String?
///       @Select(.count) var flights: Int
///       @Select(.average(\Flight.delay)) var mean: Double?
///     }
///
///     let delays = try context.aggregate(FetchDescriptor(), as: Delay.self)
///
/// A property without `@Select` is the model's property of that name; one with a value and without `@Select` keeps its
/// value. The compiler checks the properties' types. Structs are Sendable, and no model is made.
///
/// - Parameter model: the models whose rows are read.
@attached(extension, conformances: ModelSelection, names: named(SelectedModel), named(_select), named(init))
public macro Selection<Model>(of model: Model.Type) =
  #externalMacro(module: "RoostMacros", type: "SelectionMacro") where Model: PersistentModel

/// Says which stored property of the model, or of one that it refers to, a property of a `@Selection` struct is.
///
///     @Select(\Book.author?.name) var author: String?
@attached(peer)
public macro Select<Model, Value>(_ property: KeyPath<Model, Value>) =
  #externalMacro(module: "RoostMacros", type: "SelectMacro") where Model: PersistentModel

/// Says which column a property of a `@Selection` struct is: a part of a date, or a value of related models.
///
///     @Select(.month(\Flight.departure)) var month: Date
///     @Select(.sum(\Author.books, \.pages)) var pages: Int
@attached(peer)
public macro Select<Model, Value>(_ column: Column<Model, Value>) =
  #externalMacro(module: "RoostMacros", type: "SelectMacro") where Model: PersistentModel, Value: Sendable

/// Says what a property of a `@Selection` struct is that the database makes of many rows.
///
///     @Select(.average(\Flight.delay)) var mean: Double?
@attached(peer)
public macro Select<Model, Value>(_ aggregate: Aggregate<Model, Value>) =
  #externalMacro(module: "RoostMacros", type: "SelectMacro") where Model: PersistentModel, Value: Sendable

/// Says that a property of a `@Selection` struct is the number of rows, `.count`, or a row's `.persistentModelID`.
///
///     @Select(.count) var flights: Int
@attached(peer)
public macro Select(_ value: _RowValue) = #externalMacro(module: "RoostMacros", type: "SelectMacro")
