// swift-tools-version: 6.2
import PackageDescription

// Every target compiles with the same settings; warnings are errors in `make lint` and CI.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

func library(_ name: String, in folder: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", swiftSettings: settings)
}

func tests(of name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies,
        path: "Tests/\(name)Tests", swiftSettings: settings)
}

let package = Package(
    name: "till",
    products: [
        .library(name: "StoreModel", targets: ["StoreModel"])
    ],
    targets: [
        library("StoreModel", in: "Shared"),
        tests(of: "StoreModel"),
    ],
    swiftLanguageModes: [.v6]
)
