#if canImport(SwiftUI)
  public import SwiftUI

  extension Preference {
    /// What a control edits: `Toggle("Labels", isOn: $showsLabels.binding)`.
    public var binding: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }
  }
#endif
