// swift-tools-version: 6.2

import PackageDescription

// The tests of Sources/RoostSwiftUI where there is no SwiftUI: a stand-in has the declarations that it uses, and a
// screen that draws views as text. `RoostViews` is a link to the sources, so that the very same files are compiled. The
// stand-in has a name of its own, which these targets alone take for SwiftUI's: everywhere else `canImport(SwiftUI)`
// stays false, also in what is built into the same folder.
let asSwiftUI: [SwiftSetting] = [.unsafeFlags(["-module-alias", "SwiftUI=SwiftUIStandIn"])]
let roost: Target.Dependency = .product(name: "Roost", package: "roost")
let swiftData: Target.Dependency = .product(name: "SwiftData", package: "roost")

let package = Package(
  name: "swiftui",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "roost", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  ],
  targets: [
    .target(name: "SwiftUIStandIn", dependencies: [roost], path: "SwiftUIStandIn"),
    .target(
      name: "RoostViews", dependencies: [roost, "SwiftUIStandIn", .product(name: "Logging", package: "swift-log")],
      path: "RoostViews", swiftSettings: asSwiftUI),
    .testTarget(
      name: "ViewTests", dependencies: [swiftData, "RoostViews", "SwiftUIStandIn"], path: "ViewTests",
      swiftSettings: asSwiftUI),
    // As in new apps: all code is the main actor's by default, and in the language mode of Swift 5.
    .testTarget(
      name: "IsolatedViewTests", dependencies: [swiftData, "RoostViews", "SwiftUIStandIn"],
      path: "IsolatedViewTests",
      swiftSettings: asSwiftUI + [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
    ]
}
