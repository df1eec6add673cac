import RoostCore

/// Stands for model types that the program does not have. There are no instances with rows.
final class DescribedModel: PersistentModel {
  @exclusivity(unchecked) var _$state = _ModelState()

  var _$stateAddress: _StateAddress { .init(&_$state) }

  static var schemaMetadata: [Schema.PropertyMetadata] { [] }

  init(_$row row: inout _RowReader) {}

  init(backingData: any BackingData<DescribedModel>) {}

  func _$read(_ row: inout _RowReader) {}
  func _$write(_ row: inout _RowWriter) {}
  func _$edit(_ edit: inout _SlotEdit, at index: Int) {}

  static func == (lhs: DescribedModel, rhs: DescribedModel) -> Bool { lhs === rhs }
}
