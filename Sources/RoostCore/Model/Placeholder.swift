/// A value of a type that offers none by itself: for a non-optional property of a model whose row is gone.
enum Placeholder {
  static func make<Value>(_ type: Value.Type) -> Value {
    if _isPOD(type) {
      // SAFETY: all-zero bits are the first case of an enum without payloads and zero in every number; types whose
      // bits are references are not POD.
      return withUnsafeTemporaryAllocation(
        byteCount: max(MemoryLayout<Value>.size, 1), alignment: MemoryLayout<Value>.alignment
      ) { buffer in
        for index in buffer.indices { buffer[index] = 0 }
        return buffer.load(as: Value.self)
      }
    }
    fatalError(
      """
      A property of type \(type) was read from a model whose row no longer exists, and \(type) has no value to stand \
      for that. Give the property a default value or make it optional.
      """)
  }
}
