// swift-tools-version: 6.2

import PackageDescription

// A server and programs that sync through it, and what that takes. A package of its own, for its
// libraries take minutes to build.
let package = Package(
  name: "sync",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "roost", path: "../..", traits: ["Sync", "Server"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(name: "sync-demo", dependencies: sync, path: "Sources/SyncDemo"),
    .executableTarget(name: "sync-bench", dependencies: sync, path: "Sources/SyncBench"),
  ],
  swiftLanguageModes: [.v6]
)

var sync: [Target.Dependency] {
  [
    .product(name: "Roost", package: "roost"), .product(name: "RoostSync", package: "roost"),
    .product(name: "RoostServer", package: "roost"), .product(name: "Logging", package: "swift-log"),
  ]
}
