// swift-tools-version: 6.2

import PackageDescription

// Programs as SwiftData's users write them: they import SwiftData and nothing else of this repository. The same files
// are compiled in both language modes, for which SwiftPM wants two folders: the one of Swift 5 is a link to the other.
// On Apple's platforms they are compiled with Apple's framework.
let swiftData: Target.Dependency = .product(
  name: "SwiftData", package: "roost", condition: .when(platforms: [.linux, .android, .windows]))

let package = Package(
  name: "programs",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "roost", path: "../..")],
  targets: [
    .target(name: "Catalogue", dependencies: [swiftData]),
    .target(name: "OtherLibrary"),
    // Run by a test, with an environment of its own.
    .executableTarget(name: "notes", dependencies: [swiftData]),
    .testTarget(
      name: "ProgramsTests",
      dependencies: [swiftData, "Catalogue", "notes", "OtherLibrary"],
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility")]),
    .testTarget(
      name: "ProgramsInSwift5Tests",
      dependencies: [swiftData, "Catalogue", "notes", "OtherLibrary"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // With the plug-in that declares the predicate macros in the target.
    .testTarget(
      name: "LongPredicatesTests", dependencies: [swiftData],
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility")],
      plugins: [.plugin(name: "PredicateMacros", package: "roost")]),
    // All code is the main actor's by default, as in new apps.
    .testTarget(
      name: "IsolatedProgramsTests", dependencies: [swiftData],
      swiftSettings: [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "IsolatedProgramsInSwift5Tests", dependencies: [swiftData],
      swiftSettings: [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)]),
  ]
)
