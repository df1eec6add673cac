// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

/// The modules that Roost exports, each upon the one before.
let modules = ["RoostCore", "RoostQuery", "RoostMigration"]
let inModules = modules.map { Target.Dependency(stringLiteral: $0) }

/// The macros' plug-in for the compiler: nothing where `Scripts/build-plugin` has built it.
let plugin: [Target.Dependency] = Context.environment["ROOST_PLUGIN"] == nil ? ["RoostMacros"] : []

/// What a device asks a server by, and what a server answers by.
let device = [("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio")].map {
  Target.Dependency.product(name: $0, package: $1, condition: .when(traits: ["Sync"]))
}
let server = [
  ("Hummingbird", "hummingbird"), ("HummingbirdCore", "hummingbird"), ("HTTPTypes", "swift-http-types"),
  ("NIOCore", "swift-nio"), ("ServiceLifecycle", "swift-service-lifecycle"),
  ("UnixSignals", "swift-service-lifecycle"),
].map { Target.Dependency.product(name: $0, package: $1, condition: .when(traits: ["Server"])) }

/// What makes keys of passphrases, and encrypts files that are no databases.
func cryptography(with trait: String) -> [Target.Dependency] {
  ["Crypto", "CryptoExtras"].map { .product(name: $0, package: "swift-crypto", condition: .when(traits: [trait])) }
}

/// Has every file encrypted, so that all tests are tests of that, too.
let encryptsAll: [SwiftSetting] =
  Context.environment["ROOST_ENCRYPTS_ALL_TESTS"] == nil ? [] : [.define("ENCRYPTS_ALL_TESTS")]

let package = Package(
  name: "roost",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // With its modules, whose changes would not rebuild a program otherwise: Roost itself stays the same then.
    .library(name: "Roost", targets: ["Roost"] + modules),
    // For Apple's platforms too, where nobody should link it, as their own SwiftData has this name: SwiftPM looks for a
    // product that a manifest asks for on other platforms alone, and manifests are read on a Mac for those as well.
    .library(name: "SwiftData", targets: ["SwiftData", "Roost"] + modules),
    .library(name: "RoostTesting", targets: ["RoostTesting"]),
    .library(name: "RoostSync", targets: ["RoostSync"]),
    .library(name: "RoostServer", targets: ["RoostServer"]),
    .library(name: "RoostVault", targets: ["RoostVault"]),
    .library(name: "RoostPreferences", targets: ["RoostPreferences"]),
    .executable(name: "roost", targets: ["RoostCommandMain"]),
    .plugin(name: "PredicateMacros", targets: ["PredicateMacros"]),
  ],
  traits: [
    .trait(name: "Encryption", description: "Stores can be encrypted, by SQLCipher in place of SQLite."),
    .trait(name: "Sync", description: "Stores are synced by HTTP."),
    .trait(name: "Server", description: "A server of synced stores, and `roost serve`."),
    .trait(name: "Vault", description: "Secrets can be kept in an encrypted file, where the system has no vault."),
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    // For the `roost` command alone: SwiftPM leaves it out of programs that only link the libraries.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // For the traits alone: without them SwiftPM does not even look for these.
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.24.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.5.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
  ],
  targets: [
    // Linked by its module map, and so only if it is imported: pkg-config's flags would link it beside SQLCipher.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(
      name: "CSQLCipher", pkgConfig: "sqlcipher", providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
    .target(
      name: "SQLiteLibrary",
      dependencies: ["CSQLite", .target(name: "CSQLCipher", condition: .when(traits: ["Encryption"]))]),
    .target(name: "RoostEngine", dependencies: ["SQLiteLibrary"], swiftSettings: encryptsAll),
    .target(name: "RoostSQL"),
    .target(
      name: "RoostCore",
      dependencies: cryptography(with: "Encryption") + [
        "RoostEngine", "RoostSQL", .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "RoostQuery",
      dependencies: ["RoostCore", "RoostEngine", "RoostSQL", .product(name: "Logging", package: "swift-log")]),
    // What becomes of edits that meet: for who sends them and for who takes them.
    .target(name: "SyncMerge"),
    .target(
      name: "RoostMigration",
      dependencies: [
        "RoostQuery", "RoostCore", "RoostEngine", "RoostSQL", .product(name: "Logging", package: "swift-log"),
      ]),
    // A store that is synced.
    .target(
      name: "RoostSync",
      dependencies: inModules + device + [
        "Roost", "RoostEngine", "RoostSQL", "SyncMerge", .product(name: "Logging", package: "swift-log"),
      ]),
    // What a server of synced stores does, without a network.
    .target(name: "SyncServer", dependencies: ["SyncMerge", "RoostEngine"]),
    // The same by HTTP.
    .target(
      name: "RoostServer",
      dependencies: server + ["SyncServer", "SyncMerge", .product(name: "Logging", package: "swift-log")]),
    // libsecret's functions and the kernel's calls, for RoostVault alone. It links to nothing.
    .systemLibrary(name: "CVault"),
    // A program's secrets, by what the platform has for them.
    .target(
      name: "RoostVault",
      dependencies: cryptography(with: "Vault") + [
        "CVault", .target(name: "RoostCore", condition: .when(traits: ["Encryption"])),
      ]),
    // What a user has chosen, in a small file.
    .target(name: "RoostPreferences", dependencies: [.product(name: "Logging", package: "swift-log")]),
    .macro(
      name: "RoostMacros",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftIfConfig", package: "swift-syntax"),
        .product(name: "SwiftOperators", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ]),
    // What programs need besides RoostCore's types, and what both Roost and SwiftData export.
    .target(name: "RoostDeclarations", dependencies: ["RoostCore", "RoostQuery"] + plugin),
    // Views' queries: empty where there is no SwiftUI. Tests/SwiftUI compiles the same files with a stand-in for it.
    .target(
      name: "RoostSwiftUI", dependencies: inModules + [.product(name: "Logging", package: "swift-log")] + plugin),
    // For the targets of programs: what makes their long predicates compile quickly.
    .plugin(name: "PredicateMacros", capability: .buildTool()),
    .target(name: "Roost", dependencies: inModules + ["RoostDeclarations", "RoostSwiftUI"] + plugin),
    // Roost by the name of Apple's framework: what a program's `import SwiftData` finds.
    .target(name: "SwiftData", dependencies: inModules + ["Roost", "RoostDeclarations", "RoostSwiftUI"]),
    .target(name: "RoostTesting", dependencies: inModules + ["Roost", "RoostEngine"]),
    // The command but for its start, so that tests can call it. No name may differ from another in case alone.
    .target(
      name: "RoostCommand",
      dependencies: inModules + [
        "RoostEngine", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .target(name: "RoostServer", condition: .when(traits: ["Server"])),
      ]),
    .executableTarget(name: "RoostCommandMain", dependencies: ["RoostCommand"]),
    .executableTarget(name: "ReadmeExample", dependencies: ["SwiftData", "RoostCore"], path: "Examples/ReadmeExample"),
    // Run by a test, several at a time.
    .executableTarget(name: "Writer", dependencies: ["Roost"], path: "Tests/Writer"),
    // Run by a test, and killed.
    .executableTarget(name: "SyncPusher", dependencies: ["SyncServer", "SyncMerge"], path: "Tests/SyncPusher"),
    // Run by tests, several at a time.
    .executableTarget(name: "VaultUser", dependencies: ["RoostVault"], path: "Tests/VaultUser"),
    .executableTarget(name: "PreferencesUser", dependencies: ["RoostPreferences"], path: "Tests/PreferencesUser"),
    .target(name: "FaultyDisk", dependencies: ["SQLiteLibrary"], path: "Tests/FaultyDisk"),
    .testTarget(name: "RoostEngineTests", dependencies: ["RoostEngine", "FaultyDisk", "EncryptionSupport"]),
    // Which tests are of plain files.
    .target(name: "EncryptionSupport", dependencies: ["RoostEngine"], path: "Tests/EncryptionSupport"),
    // What more than one target of tests uses.
    .target(name: "TestSupport", dependencies: ["SyncMerge"], path: "Tests/Support"),
    // Devices, a server and a network: for tests, and by itself for as long as one likes.
    .target(
      name: "SyncSimulation",
      dependencies: inModules + [
        "Roost", "RoostSync", "SyncMerge", "RoostEngine", "RoostSQL", "FaultyDisk", "TestSupport",
      ], path: "Tests/SyncSimulation"),
    .executableTarget(
      name: "SyncSimulator",
      dependencies: ["SyncSimulation", "TestSupport", .product(name: "Logging", package: "swift-log")],
      path: "Tests/SyncSimulator"),
    .testTarget(name: "RoostSQLTests", dependencies: ["RoostSQL"]),
    .testTarget(name: "RoostVaultTests", dependencies: ["RoostVault", "VaultUser"]),
    .testTarget(
      name: "RoostPreferencesTests", dependencies: ["RoostPreferences", "PreferencesUser", "TestSupport"]),
    .testTarget(name: "SyncMergeTests", dependencies: ["SyncMerge", "TestSupport"]),
    .testTarget(
      name: "SyncServerTests", dependencies: ["SyncServer", "SyncMerge", "RoostEngine", "SyncPusher", "TestSupport"]),
    .testTarget(
      name: "RoostSyncTests",
      dependencies: inModules + [
        "Roost", "RoostSync", "SyncServer", "SyncMerge", "RoostEngine", "RoostSQL", "SyncSimulation", "FaultyDisk",
        "TestSupport",
      ]),
    .testTarget(
      name: "RoostTests",
      dependencies: inModules + [
        "Roost", "RoostEngine", "RoostSQL", "RoostTesting", "ReadmeExample", "FaultyDisk", "Writer",
        "EncryptionSupport", "TestSupport", "RoostVault",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Migration/Fixtures/Stores"]),
    .testTarget(
      name: "RoostCommandTests",
      dependencies: inModules + ["RoostCommand", "Roost", "RoostEngine", "EncryptionSupport"]),
    .testTarget(
      name: "RoostIsolationTests", dependencies: ["Roost"],
      swiftSettings: [.defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
