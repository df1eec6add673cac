// swift-tools-version: 6.2

import PackageDescription

// A package of its own: one that has GRDB, too, would link SQLite beside SQLCipher.
let package = Package(
  name: "roost-benchmarks-encrypted",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "roost", path: "../..", traits: ["Encryption"])],
  targets: [
    .systemLibrary(
      name: "CBenchmarkSQLite", pkgConfig: "sqlcipher",
      providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
    .executableTarget(
      name: "roost-bench-encrypted", dependencies: ["CBenchmarkSQLite", .product(name: "Roost", package: "roost")],
      path: "Sources/RoostBenchEncrypted",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
