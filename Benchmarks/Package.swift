// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "roost-benchmarks",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "roost-bench", targets: ["roost-bench"])],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")
  ],
  targets: [
    .systemLibrary(
      name: "CBenchmarkSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .executableTarget(
      name: "roost-bench",
      dependencies: [
        "CBenchmarkSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Sources/RoostBench"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

  // ROOST_BENCH=baselines builds the baselines alone: for measuring a machine, and while Roost itself does not build.
  if Context.environment["ROOST_BENCH"] == "baselines" {
    target.exclude = ["Roost"]
  } else {
    package.dependencies.append(.package(name: "roost", path: ".."))
    target.dependencies.append(.product(name: "Roost", package: "roost"))
    target.swiftSettings?.append(.define("ROOST"))
  }
}
