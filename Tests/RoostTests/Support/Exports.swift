// Random tests all draw from it, and most others have a folder.
@_exported public import TestSupport
