import Testing

@Suite struct SelectionExpansionTests {
  @Test func `each property is a column, checked against its type`() {
    let expansion = Expander(
      #"""
      @Selection(of: Library.Flight.self) public struct Delay {
        @Select(\Flight.carrier?.name) let carrier: String?
        @Select(.count) public var `default`: Int
        var persistentModelID: PersistentIdentifier
        var year: Int
        var note = "none"
        var isLate: Bool { year > 0 }
        static var all: Int = 0
      }
      """#)
    #expect(expansion.reports == [])
    #expect(
      expansion.text == #"""
        public struct Delay {
          let carrier: String?
          public var `default`: Int
          var persistentModelID: PersistentIdentifier
          var year: Int
          var note = "none"
          var isLate: Bool { year > 0 }
          static var all: Int = 0
        }

        extension Delay: Roost.ModelSelection {
          public typealias SelectedModel = Library.Flight

          public static func _select(
            _ _columns: Roost._SelectionColumns<Library.Flight>
          ) throws -> (inout Roost._ResultValues) throws -> Self {
            let _0 = try _columns.addProperty("carrier", \Flight.carrier?.name, as: (String?).self)
            let _1 = try _columns.add("default", .count, as: (Int).self)
            let _2 = try _columns.add("persistentModelID", .persistentModelID, as: (PersistentIdentifier).self)
            let _3 = try _columns.addProperty("year", \Library.Flight.year, as: (Int).self)
            return { _row in
              try Self(_selected: _row._next(_0), _row._next(_1), _row._next(_2), _row._next(_3))
            }
          }

          private init(_selected _0: String?, _ _1: Int, _ _2: PersistentIdentifier, _ _3: Int) {
            self.carrier = _0
            self.`default` = _1
            self.persistentModelID = _2
            self.year = _3
          }
        }
        """#)
  }
}
