// SwiftData's names, one by one: what Roost has besides must not collide with the names of a program's other libraries.
// An import of one declaration makes all members of all types visible, and no other name. Operators and macros cannot
// be imported so: those that programs need are in RoostDeclarations. All of RoostSwiftUI's names are SwiftData's.

@_exported public import Observation
@_exported public import RoostDeclarations
@_exported public import RoostSwiftUI

@_exported public import protocol Roost.BackingData
@_exported public import enum Roost.DataStoreError
@_exported public import protocol Roost.DataStoreSnapshot
@_exported public import enum Roost.DataStoreSnapshotCodingKey
@_exported public import typealias Roost.DataStoreSnapshotValue
@_exported public import class Roost.DefaultSerialModelExecutor
@_exported public import struct Roost.DefaultHistoryDelete
@_exported public import struct Roost.DefaultHistoryInsert
@_exported public import struct Roost.DefaultHistoryToken
@_exported public import struct Roost.DefaultHistoryTransaction
@_exported public import struct Roost.DefaultHistoryUpdate
@_exported public import struct Roost.DefaultSnapshot
@_exported public import struct Roost.EditingState
@_exported public import struct Roost.FetchDescriptor
@_exported public import struct Roost.FetchResultsCollection
@_exported public import enum Roost.HistoryChange
@_exported public import protocol Roost.HistoryDelete
@_exported public import struct Roost.HistoryDescriptor
@_exported public import protocol Roost.HistoryInsert
@_exported public import class Roost.HistoryObserver
@_exported public import protocol Roost.HistoryProviding
@_exported public import protocol Roost.HistoryToken
@_exported public import struct Roost.HistoryTombstone
@_exported public import protocol Roost.HistoryTransaction
@_exported public import protocol Roost.HistoryUpdate
@_exported public import enum Roost.MigrationStage
// Not Roost's, where the macro has the same name.
@_exported public import protocol RoostCore.ModelActor
@_exported public import struct Roost.ModelConfiguration
@_exported public import class Roost.ModelContainer
@_exported public import class Roost.ModelContext
@_exported public import protocol Roost.ModelExecutor
@_exported public import struct Roost.PersistentIdentifier
@_exported public import protocol Roost.PersistentModel
@_exported public import protocol Roost.RelationshipCollection
@_exported public import class Roost.ResultsObserver
@_exported public import struct Roost.ResultsSection
@_exported public import class Roost.Schema
@_exported public import protocol Roost.SchemaMigrationPlan
@_exported public import protocol Roost.SchemaProperty
@_exported public import struct Roost.SectionedResults
@_exported public import protocol Roost.SerialModelExecutor
@_exported public import struct Roost.SwiftDataError
@_exported public import protocol Roost.VersionedSchema

// Foundation's and Core Data's, which are not there.

@_exported public import let Roost.NSDeletedObjectsKey
@_exported public import let Roost.NSInsertedObjectsKey
@_exported public import let Roost.NSUpdatedObjectsKey
@_exported public import struct Roost.PredicateCodableConfiguration
@_exported public import protocol Roost.PredicateCodableKeyPathProviding
@_exported public import class Roost.UndoManager

// What macros expand to.

@_exported public import struct Roost._InheritedKeyPath
@_exported public import struct Roost._ModelState
@_exported public import enum Roost._PredicateBuilder
@_exported public import struct Roost._RowReader
@_exported public import struct Roost._RowWriter
@_exported public import struct Roost._SlotEdit
@_exported public import struct Roost._StateAddress
@_exported public import struct Roost._SwiftDataNoType
@_exported public import protocol Roost._TransformerName
@_exported public import protocol Roost._UnstoredProperties
@_exported public import func Roost._codableStorage
@_exported public import func Roost._coding
@_exported public import func Roost._externalStorage
@_exported public import func Roost._path
@_exported public import func Roost._propertyCount
@_exported public import func Roost._slot
@_exported public import func Roost._storage
@_exported public import func Roost._transformableStorage
@_exported public import func Roost._typeOf
