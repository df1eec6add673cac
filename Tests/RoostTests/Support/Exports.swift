// Random tests all draw from it.
@_exported public import TestSupport
