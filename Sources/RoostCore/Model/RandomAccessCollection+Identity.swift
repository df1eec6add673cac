extension RandomAccessCollection where Element: PersistentModel {
  /// Whether both have the very same models in the same order. A program's own `==` of a model may mean something else.
  package func isSame(as other: Self) -> Bool { count == other.count && zip(self, other).allSatisfy { $0 === $1 } }
}
