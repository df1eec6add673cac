// swift-tools-version: 6.2

import PackageDescription

// The demo is a package of its own, so that those who depend on Roost do not fetch its command-line library.
let package = Package(
  name: "flights",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "roost", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "FlightsModel",
      dependencies: [
        // Apple's platforms have a SwiftData of their own: the same program runs on it.
        .product(name: "SwiftData", package: "roost", condition: .when(platforms: [.linux, .android, .windows]))
      ]),
    .target(name: "SQLiteShell"),
    .executableTarget(
      name: "flights",
      dependencies: [
        "FlightsModel", "SQLiteShell", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "FlightsModelTests",
      dependencies: ["FlightsModel", "SQLiteShell"],
      resources: [.copy("Fixture")]),
  ],
  swiftLanguageModes: [.v6]
)
