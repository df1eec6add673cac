// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

// The macros' tests. In Roost's own package they would have SwiftPM build everything for the compiler's plug-ins as
// well, all of Roost included: each file twice. `RoostMacros` is a link to the sources.
let syntax = [
  "SwiftDiagnostics", "SwiftIfConfig", "SwiftOperators", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
  "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacros",
].map { Target.Dependency.product(name: $0, package: "swift-syntax") }

let package = Package(
  name: "macros",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0")],
  targets: [
    .macro(
      name: "RoostMacros",
      dependencies: syntax + [.product(name: "SwiftCompilerPlugin", package: "swift-syntax")],
      path: "RoostMacros"),
    .testTarget(name: "RoostMacrosTests", dependencies: ["RoostMacros"] + syntax, path: "RoostMacrosTests"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
