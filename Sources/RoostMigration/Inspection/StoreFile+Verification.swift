import Foundation
import RoostCore
import RoostEngine

// Whether values that are in files have them.
extension StoreFile {
  func verifyFiles(_ verification: inout StoreVerification) throws {
    let files = ExternalFiles(of: url)
    let present: Set<ExternalName>
    do {
      present = try files.names()
    } catch {
      verification.problems.append("\(files.folder.path): the folder of values' files cannot be read: \(error)")
      return
    }
    var named: Set<ExternalName> = []
    let tables = Set(try connection.strings("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    let schema = StoredSchema(definition)
    for entity in definition.entities where tables.contains(schema.table(of: entity)) {
      for property in entity.properties where property.isExternal {
        let column = ExternalColumn(
          table: schema.table(of: entity), column: property.column ?? property.name, type: property.columnType)
        guard try StoredTable(schema.table(of: entity), in: connection).columns[property.column ?? property.name] != nil
        else { continue }
        let names = try connection.externalNames(in: [column])
        named.formUnion(names)
        let lost = names.subtracting(present).map(\.text).sorted()
        guard let first = lost.first else { continue }
        verification.problems.append(
          "\(entity.name).\(property.name): "
            + StoreVerification.count(Int64(lost.count), "value has lost its file", "values have lost their files")
            + ", such as \(files.folder.lastPathComponent)/\(first)")
      }
    }
    let surplus = present.subtracting(named)
    if surplus.isEmpty { return }
    let bytes = surplus.compactMap { Disk.size(of: files.url(of: $0)) }.reduce(0, +)
    verification.remarks.append(
      "\(files.folder.lastPathComponent): "
        + StoreVerification.count(Int64(surplus.count), "file that no row names", "files that no row names")
        + " (\(bytes) bytes); the next opening removes what a crash has left")
  }
}
