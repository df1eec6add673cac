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

// ROOST_BENCH=baselines builds the baselines alone: for measuring a machine, and while Roost itself does not build.
let hasRoost = Context.environment["ROOST_BENCH"] != "baselines"
if hasRoost {
  package.dependencies.append(.package(name: "roost", path: ".."))
  package.products.append(.executable(name: "roost-memory", targets: ["roost-memory"]))
  package.products.append(.executable(name: "roost-counts", targets: ["roost-counts"]))
  package.targets.append(.systemLibrary(name: "CBenchmarkHeap"))
  package.targets.append(
    .executableTarget(name: "roost-memory", dependencies: ["CBenchmarkHeap"], path: "Sources/RoostMemory"))
  package.targets.append(
    .executableTarget(name: "roost-counts", dependencies: ["CBenchmarkSQLite"], path: "Sources/RoostCounts"))
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if hasRoost {
    target.dependencies.append(.product(name: "Roost", package: "roost"))
    target.swiftSettings?.append(.define("ROOST"))
  } else {
    target.exclude = ["Roost"]
  }
}
