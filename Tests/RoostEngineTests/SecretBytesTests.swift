import Foundation
import RoostEngine
import Testing

@Suite struct SecretBytesTests {
  @Test func `what is wiped is zero`() {
    var bytes: [UInt8] = [1, 2, 3]
    bytes.withUnsafeMutableBytes { SecretBytes.wipe($0) }
    #expect(bytes == [0, 0, 0])
  }

  @Test func `secrets are equal by their bytes, and print as nothing`() {
    func secret(_ bytes: [UInt8]) -> SecretBytes { bytes.withUnsafeBytes { SecretBytes(copying: $0) } }
    #expect(secret([1, 2]) == secret([1, 2]))
    #expect(secret([1, 2]) != secret([1, 3]) && secret([1, 2]) != secret([1]))
    var text = ""
    dump(secret([107, 108]), to: &text)
    #expect(!text.contains("107") && "\(secret([107]))" == "<secret>")
  }

  @Test func `a key has its length, and so has its salt`() {
    func secret(_ count: Int) -> SecretBytes { SecretBytes(count: count) { _ in } }
    #expect(DatabaseKey(secret(32)) != nil && DatabaseKey(secret(32), salt: Array(repeating: 1, count: 16)) != nil)
    #expect(DatabaseKey(secret(31)) == nil && DatabaseKey(secret(32), salt: [1]) == nil)
  }

  #if !Encryption
    @Test func `a key is refused where nothing encrypts`() throws {
      let (key, file) = (DatabaseKey(SecretBytes(count: 32) { _ in }), try TemporaryFile())
      let error = #expect(throws: DatabaseError.self) {
        try Connection(ConnectionOptions(location: .file(path: file.path), key: key))
      }
      #expect(error?.message.contains("no encryption") ?? false)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  #endif
}
