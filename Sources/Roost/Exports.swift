@_exported public import Observation
@_exported public import RoostCore
@_exported public import RoostDeclarations
