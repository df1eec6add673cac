extension DatabaseKey {
  /// The key of a file that none is named for: there is none, but where the whole test suite runs on encrypted files.
  package static var standard: DatabaseKey? {
    #if ENCRYPTS_ALL_TESTS
      hasPlainFiles ? nil : tests
    #else
      nil
    #endif
  }

  /// Whether a file without a key is plain even where the whole test suite runs on encrypted files.
  @TaskLocal package static var hasPlainFiles = false

  #if ENCRYPTS_ALL_TESTS
    private static let tests = DatabaseKey(
      SecretBytes(count: byteCount) { for index in $0.indices { $0[index] = UInt8(index) } })
  #endif
}
