/// Stands for model types that the program does not have. There are no instances with rows.
package final class DescribedModel: PersistentModel {
  @exclusivity(unchecked) var _$state = _ModelState()

  package var _$stateAddress: _StateAddress { .init(&_$state) }

  package static var schemaMetadata: [Schema.PropertyMetadata] { [] }

  package init(_$row row: inout _RowReader) {}

  package init(backingData: any BackingData<DescribedModel>) {}

  package func _$read(_ row: inout _RowReader) {}
  package func _$write(_ row: inout _RowWriter) {}
  package func _$edit(_ edit: inout _SlotEdit, at index: Int) {}

  package static func == (lhs: DescribedModel, rhs: DescribedModel) -> Bool { lhs === rhs }
}
