import Foundation
import RoostVault

/// A program with secrets, beside others that have the same: `VaultUser (service | keyring | FILE) COMMAND…`.
///
/// It prints what it got, or the error. `$PASSPHRASE` opens the file.
@main enum VaultUser {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count > 2 else {
      return print("usage: VaultUser (service | keyring | FILE) (key | get | set | between) NAME…")
    }
    do {
      try run(store(arguments[0]), arguments[1], Array(arguments.dropFirst(2)))
    } catch {
      print(error)
    }
  }

  private static func run(_ secrets: SecretStore, _ command: String, _ names: [String]) throws {
    switch command {
    case "key": print(try secrets.key(named: names[0]).withUnsafeBytes { Data($0).base64EncodedString() })
    case "get": print(try secrets.get(String.self, for: names[0]) ?? "nil")
    case "set": for name in names { try secrets.set("of \(name)", for: name) }
    // Gets a secret before and after a command of the shell.
    case "between":
      print(try secrets.get(String.self, for: names[0]) ?? "nil")
      try Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", names[1]]).waitUntilExit()
      print(try secrets.get(String.self, for: names[0]) ?? "nil")
    default: print("unknown command \(command)")
    }
  }

  private static func store(_ place: String) -> SecretStore {
    #if os(Linux)
      if place == "service" {
        let patience = ProcessInfo.processInfo.environment["PATIENCE"].flatMap(Int.init) ?? 30
        return SecretStore(SecretService(patience: .seconds(patience)), service: "roost.test")
      }
      if place == "keyring" {
        var keyring = SecretStore.kernelKeyring
        keyring.service = "roost.test"
        return keyring
      }
    #endif
    #if Vault
      var file = SecretStore.file(at: URL(filePath: place), key: .environment("PASSPHRASE"))
      file.service = "roost.test"
      return file
    #else
      return .memory()
    #endif
  }
}
