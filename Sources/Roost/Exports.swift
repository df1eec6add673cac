@_exported public import Observation
@_exported public import RoostCore
@_exported public import RoostDeclarations
@_exported public import RoostMigration
@_exported public import RoostQuery
@_exported public import RoostSwiftUI
