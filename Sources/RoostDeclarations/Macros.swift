import Observation
public import RoostCore

/// Makes a class's stored properties persist.
///
/// Every stored property is kept in the store, unless it is `@Transient`. A property whose type is a model, an optional
/// model or an array of models is a relationship; one of any other `Codable` type is an attribute.
///
///     @Model class Note {
///       var title: String
///       var notebook: Notebook?
///
///       init(title: String) { self.title = title }
///     }
///
/// Models are sent to no other actor: send ``PersistentModel/snapshot()`` or ``PersistentModel/persistentModelID``. In
/// a module whose code is the main actor's by default models are `nonisolated` all the same. `Codable` types of their
/// attributes are read and written where the model is; those with a raw value, and elements of sets, must say that they
/// belong to no actor: `nonisolated struct Options: OptionSet, Codable`.
///
/// A class that inherits from a model is a model with the superclass's properties and its own, in the same table. Name
/// it when you make the container: its superclasses come along, subclasses do not. A fetch of a class finds the models
/// of its subclasses too, each as what it is.
///
///     @Model final class Sketch: Note {
///       var lines: Int
///
///       init(title: String, lines: Int) {
///         self.lines = lines
///         super.init(title: title)
///       }
///     }
@attached(
  member, conformances: Observable, PersistentModel, Sendable,
  names: named(_$state), named(_$stateAddress), named(_$base), named(_$Unstored), named(_$keyPaths),
  named(schemaMetadata), named(init),
  named(_$read), named(_$write), named(_$edit))
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model() = #externalMacro(module: "RoostMacros", type: "ModelMacro")

/// Makes a class's stored properties persist that had another name in an earlier version of the program.
///
/// A store that has models of the former name is brought to the new one when it is opened.
///
///     @Model(originalName: "Note") final class Memo {
///       @Attribute(originalName: "title") var headline: String
///     }
@attached(
  member, conformances: Observable, PersistentModel, Sendable,
  names: named(_$state), named(_$stateAddress), named(_$base), named(_$Unstored), named(_$keyPaths),
  named(schemaMetadata), named(init),
  named(_$read), named(_$write), named(_$edit))
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model(originalName: String) = #externalMacro(module: "RoostMacros", type: "ModelMacro")

/// Says how one attribute is stored.
///
/// - Parameters:
///   - options: such as `.unique`, or `.externalStorage` for large data.
///   - originalName: the property's name in earlier versions, so that its values are kept when it is renamed.
///   - hashModifier: any text; changing it makes a new version of the model although its shape is the same.
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "RoostMacros", type: "AttributeMacro")

/// Says how one relationship behaves.
///
/// - Parameters:
///   - options: `.unique`, so that no two models refer to the same one.
///   - deleteRule: what happens to the related models when this one is deleted.
///   - minimumModelCount: the fewest models the relationship may hold.
///   - maximumModelCount: the most models the relationship may hold; 0 for no limit.
///   - originalName: the property's name in earlier versions.
///   - inverse: the property of the related model that refers back. Found by itself when only one can be meant; an
///     explicit `nil` means that there is none. Write it on one side only: the compiler cannot resolve two properties
///     that name each other.
///   - hashModifier: any text; changing it makes a new version of the model although its shape is the same.
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
  hashModifier: String? = nil
) = #externalMacro(module: "RoostMacros", type: "RelationshipMacro")

/// Keeps a stored property out of the store.
///
/// The property needs a default value, or an optional type, for the models that are loaded. A model that nobody holds
/// is made anew from its row when it is needed again, with that value: hold the models whose transient values matter.
@attached(peer)
public macro Transient() = #externalMacro(module: "RoostMacros", type: "TransientMacro")

/// Declares properties, or combinations of them, that no two models have in common.
///
///     #Unique<Person>([\.email], [\.firstName, \.lastName])
///
/// Inserting a model that equals another in one of them updates the other.
@freestanding(declaration)
public macro Unique<T>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "RoostMacros", type: "UniqueMacro") where T: PersistentModel

/// Declares properties, or combinations of them, that no two models have in common, and what happens to a second one.
///
///     #Unique<Seat>([\.row, \.number], onConflict: .reject)
///
/// - Parameter policy: whether a save has the stored model take over the new one's values, keeps it as it is, or throws
///   an error that names both.
@freestanding(declaration)
public macro Unique<T>(_ constraints: [PartialKeyPath<T>]..., onConflict policy: Schema.UniquenessPolicy) =
  #externalMacro(module: "RoostMacros", type: "UniqueMacro") where T: PersistentModel

/// Declares properties, or combinations of them, to find models by quickly.
///
///     #Index<Person>([\.lastName], [\.lastName, \.firstName])
@freestanding(declaration)
public macro Index<T>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "RoostMacros", type: "IndexMacro") where T: PersistentModel

/// Declares indices, each of its own kind.
///
///     #Index<Place>(.rtree([\.latitude, \.longitude]))
@freestanding(declaration)
public macro Index<T>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "RoostMacros", type: "IndexMacro") where T: PersistentModel

/// Gives an actor a `ModelContext` of its own, for work beside the main actor.
///
///     @ModelActor actor Importer {
///       func run() throws { modelContext.insert(Note(title: "New")) }
///     }
///
///     let importer = Importer(modelContainer: container)
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "RoostMacros", type: "ModelActorMacro")

/// What `@Model` puts on each property that it persists; not for use by hand.
@_documentation(visibility: private)
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_), prefixed(_$marker_), prefixed(_$type_), prefixed(_$transformer_))
public macro _PersistedProperty(_ index: Int, inherited: Bool = false) =
  #externalMacro(module: "RoostMacros", type: "PersistedPropertyMacro")
