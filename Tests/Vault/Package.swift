// swift-tools-version: 6.2

import PackageDescription

// Secrets with the trait Vault, whose library nobody else's build needs to wait for. The sources and the tests are
// links to those of the package itself.
let settings: [SwiftSetting] = [
  .define("Vault"), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "vault",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/apple/swift-crypto", from: "4.0.0")],
  targets: [
    .systemLibrary(name: "CVault", path: "CVault"),
    .target(
      name: "RoostVault",
      dependencies: [
        "CVault", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ], path: "RoostVault", swiftSettings: settings),
    .executableTarget(name: "VaultUser", dependencies: ["RoostVault"], path: "VaultUser", swiftSettings: settings),
    .testTarget(
      name: "RoostVaultTests", dependencies: ["RoostVault", "VaultUser"], path: "RoostVaultTests",
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
