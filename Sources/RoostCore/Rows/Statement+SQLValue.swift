import Foundation
package import RoostEngine
package import RoostSQL

extension Statement {
  package func bind(_ value: SQLValue, at parameter: Int32) {
    switch value {
    case .null: bindNull(at: parameter)
    case .integer(let value): bind(value, at: parameter)
    case .real(let value): bind(value, at: parameter)
    case .text(let value): bind(value, at: parameter)
    case .blob(let value): bind(value, at: parameter)
    }
  }

  package func bind(_ values: [SQLValue]) {
    for (offset, value) in values.enumerated() { bind(value, at: Int32(offset + 1)) }
  }

  package func sqlValue(_ column: Int32) -> SQLValue {
    switch columnType(column) {
    case .integer: .integer(int64(column))
    case .real: .real(double(column))
    case .text: .text(string(column))
    case .blob: .blob(data(column))
    case .null: .null
    }
  }
}

extension SQLValue {
  package init(_ value: DatabaseValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let value): .integer(value)
      case .real(let value): .real(value)
      case .text(let value): .text(value)
      case .blob(let bytes): .blob(Data(bytes))
      }
  }
}

extension DatabaseValue {
  package init(_ value: SQLValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let value): .integer(value)
      case .real(let value): .real(value)
      case .text(let value): .text(value)
      case .blob(let bytes): .blob(Array(bytes))
      }
  }
}
