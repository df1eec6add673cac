import Foundation

/// Programs beside the tests.
enum Programs {
  /// Beside the bundle of tests.
  static let user = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "VaultUser")

  // Behind the link by which another package has these tests.
  private static let session = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "../../../Scripts/with-secret-service").standardizedFileURL

  /// What a program writes until it ends.
  static func output(_ program: URL, _ arguments: [String], _ environment: [String: String] = [:]) throws -> [String] {
    try start(program, arguments, environment).lines()
  }

  /// What a script of the shell writes in a session of its own with an unlocked keyring. `$USER_PROGRAM` has secrets.
  static func inSession(_ script: String) throws -> [String] {
    try output(session, ["sh", "-c", script], ["USER_PROGRAM": user.path, "LOCK": lock, "KEYRING_PID": pid])
  }

  static func start(_ program: URL, _ arguments: [String], _ environment: [String: String] = [:]) throws -> Running {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    // Threads of Dispatch block signals, and the program, with all that it starts, would be deaf to them for ever.
    var none = sigset_t()
    var former = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    try process.run()
    return Running(process: process, pipe: pipe)
  }

  struct Running {
    let process: Process
    let pipe: Pipe

    func lines() throws -> [String] {
      let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  private static let send = "dbus-send --session --print-reply=literal"
  private static let lock = """
    \(send) --dest=org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.Secret.Service.Lock \
    array:objpath:/org/freedesktop/secrets/collection/login >/dev/null
    """
  private static let pid = """
    \(send) --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetConnectionUnixProcessID \
    string:org.freedesktop.secrets | tr -dc '0-9 ' | awk '{ print $NF }'
    """
}
