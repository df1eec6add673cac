// swift-tools-version: 6.2

import PackageDescription

// Synced stores and their server by HTTP, whose libraries nobody else's build needs to wait for. The tests use what is
// no API, and so do the files that they share with other packages' tests, which cannot say so.
let upcoming: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
]
let seesAll: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-testable-import-module", "-Xfrontend", "SyncMerge"])
]
let nio = ["NIOCore", "NIOHTTP1", "NIOPosix"].map { Target.Dependency.product(name: $0, package: "swift-nio") }

let package = Package(
  name: "sync-http",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "roost", path: "../..", traits: ["Sync", "Server"]),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.24.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.5.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
  ],
  targets: [
    // A link to Tests/Support.
    .target(
      name: "TestSupport", dependencies: [.product(name: "RoostServer", package: "roost")],
      swiftSettings: upcoming + seesAll),
    // Run by a test, several at a time, and killed; and what the test knows of them.
    .target(name: "Stock", dependencies: [.product(name: "Roost", package: "roost")], swiftSettings: upcoming),
    .executableTarget(
      name: "SyncClientProcess",
      dependencies: [
        "Stock", "TestSupport", .product(name: "Roost", package: "roost"),
        .product(name: "RoostSync", package: "roost"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: upcoming),
    .executableTarget(
      name: "SyncServerProcess",
      dependencies: [
        .product(name: "RoostServer", package: "roost"), .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: upcoming),
    // The program that docs/sync-protocol.md shows.
    .executableTarget(
      name: "ServerExample", dependencies: [.product(name: "RoostServer", package: "roost")],
      swiftSettings: upcoming),
    .testTarget(
      name: "SyncHTTPTests",
      dependencies: nio + [
        "Stock", "SyncClientProcess", "SyncServerProcess", "ServerExample", "TestSupport",
        .product(name: "Roost", package: "roost"),
        .product(name: "RoostServer", package: "roost"), .product(name: "RoostSync", package: "roost"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], swiftSettings: upcoming),
  ],
  swiftLanguageModes: [.v6]
)
