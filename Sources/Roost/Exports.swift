@_exported public import RoostCore
@_exported public import Observation
