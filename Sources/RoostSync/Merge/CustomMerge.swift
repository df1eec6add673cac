package import RoostSQL

/// The program's own function for an attribute that is merged by `.custom`.
package struct CustomMerge: Sendable {
  /// What the program calls it by, for comparing.
  let model: String
  let property: String
  /// nil for values that are none of the property's type.
  let merge: @Sendable (_ ancestor: SQLValue, _ remote: SQLValue, _ local: SQLValue) throws -> SQLValue?

  package init(
    model: String, property: String,
    _ merge: @escaping @Sendable (_ ancestor: SQLValue, _ remote: SQLValue, _ local: SQLValue) throws -> SQLValue?
  ) {
    (self.model, self.property, self.merge) = (model, property, merge)
  }
}
