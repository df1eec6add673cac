extension Schema.PropertyMetadata: CustomReflectable {
  /// The parts that SwiftData's has, by its names: `name`, `keypath`, `defaultValue` and `metadata`.
  ///
  /// There is no other way to ask for them, so that libraries look at the mirror.
  public var customMirror: Mirror {
    // Not optionals, as far as there is a value: not all who look at them expect any.
    func value(_ optional: Any?) -> Any { optional ?? Any?.none as Any }
    return Mirror(
      self,
      children: [
        "name": name, "keypath": value(keyPath), "defaultValue": value(defaultValue()), "metadata": value(metadata),
      ],
      displayStyle: .struct)
  }
}
