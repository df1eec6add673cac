internal import Foundation
import RoostCore
internal import RoostSQL

extension _FullTextMatch: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    guard case .row(let row) = try translator.term(base) else {
      return try translator.constantOrUnsupported(self, "Only a model of the store is found by its full-text index.")
    }
    // The key paths may be of a class above the row's.
    let entity = translator.entity(Base.Output.self) ?? row.entity
    let place = try entity.fullTextPlace(of: properties)
    return .condition(translator.isFound(row, by: place.index, place.expression(query)))
  }

  func source(_ translator: Translator) -> String {
    let entity = translator.entity(Base.Output.self)
    let names = properties.map { entity?.property(for: $0)?.name ?? "…" }
    let base = translator.operand(base)
    let receiver =
      names.count > 1 ? "\(base)(\(names.joined(separator: ", ")))" : ([base] + names).joined(separator: ".")
    return "\(receiver).matches(\(query.debugDescription))"
  }
}

extension Translator {
  /// Whether a row is among those that an index finds.
  func isFound(_ row: RowTerm, by index: FullTextIndex, _ expression: String) -> SQLExpression {
    usesTables.insert(index.table)
    readsOtherRows = true
    return .inSelect(row.key, found(by: index, expression) { _ in [SQLResultColumn(.rowKey)] })
  }

  /// What an index finds, those rows included that are not saved and so in a temporary index.
  ///
  /// `columns` makes the columns of the result from the name of an index.
  func found(
    by index: FullTextIndex, _ expression: String, columns: (String) -> [SQLResultColumn]
  ) -> SQLSelect {
    func select(_ name: String) -> SQLSelect {
      SQLSelect(
        columns(name), from: .table(name), where: .binary(.match, .column(name), .text(expression)))
    }
    var stored = select(index.name)
    guard isPending(index.table) else { return stored }
    let gone = SQLSelect([SQLResultColumn(.column(primaryKeyColumn))], from: .table(PendingOverlay.gone(index.table)))
    stored.restrict(.not(.inSelect(.rowKey, gone)))
    stored.compounds = [SQLCompound(.unionAll, select(index.pendingName))]
    return stored
  }

  /// A condition that holds wherever a column contains a text, and that an index of parts of words can answer; nil if
  /// there is none.
  ///
  /// Such an index has all characters but what is behind a NUL. Of printable ASCII it finds what is there byte by byte,
  /// and a string that contains such a text in Swift has these bytes, as long as no character has another spelling.
  func mayContain(_ column: SQLExpression, _ text: String) -> SQLExpression? {
    guard case .column(let alias?, let name) = column, let row = rows[alias],
      let index = row.entity.tableFullTextIndexes.first(where: { $0.tokenizer.findsParts && $0.columns.contains(name) }
      ),
      text.utf8.count >= 3,
      text.unicodeScalars.allSatisfy({
        (0x20..<0x7F).contains($0.value) && SwiftStrings.otherSpelling(of: $0) == nil
      })
    else { return nil }
    var select = found(by: index, FullTextQuery.substring(text).expression(in: index.columns.count > 1 ? [name] : nil))
    {
      _ in [SQLResultColumn(.rowKey)]
    }
    select.compounds.append(
      SQLCompound(
        .unionAll,
        SQLSelect(
          [SQLResultColumn(.column(primaryKeyColumn))], from: .table(index.table), where: FullTextIndex.hasNUL(name))))
    return .inSelect(row.key, select)
  }
}

extension SQLExpression {
  /// The key of an FTS5 table's row, which is that of the model's.
  static var rowKey: SQLExpression { .column("rowid") }
}
