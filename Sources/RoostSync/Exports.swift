// What the journal's values are.
@_exported public import enum RoostSQL.SQLValue
