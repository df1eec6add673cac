// swift-tools-version: 6.2

import PackageDescription

// Tests that decide something about memory, to be run with a sanitizer. `MemoryTests` is a link to a folder of
// RoostTests, which would take minutes to build with one.
let package = Package(
  name: "memory",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "roost", path: "../..")],
  targets: [
    .testTarget(
      name: "MemoryTests", dependencies: [.product(name: "Roost", package: "roost")], path: "MemoryTests")
  ],
  swiftLanguageModes: [.v6]
)
