// swift-tools-version: 6.2

import PackageDescription

// The demo is a package of its own, so that those who depend on Roost do not fetch its command-line library.
let package = Package(
  name: "flights",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(name: "Encrypted", description: "`flights --encrypted`: with SQLCipher, and a key in the system's vault.")
  ],
  dependencies: [
    .package(
      name: "roost", path: "../..",
      traits: [.trait(name: "Encryption", condition: .when(traits: ["Encrypted"]))]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "FlightsModel",
      dependencies: [
        // Apple's platforms have a SwiftData of their own: the same program runs on it.
        .product(name: "SwiftData", package: "roost", condition: .when(platforms: [.linux, .android, .windows])),
        .product(name: "RoostVault", package: "roost", condition: .when(traits: ["Encrypted"])),
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
