// swift-tools-version: 6.2
import PackageDescription

// Every target compiles with the same settings; warnings are errors.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

func library(
    _ name: String, in folder: String, uses dependencies: [Target.Dependency] = [], excluding excluded: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", exclude: excluded,
        swiftSettings: settings)
}

func tests(
    of name: String, uses dependencies: [Target.Dependency] = [], resources: [Resource]? = nil
) -> Target {
    let folder = name.prefix(1).uppercased() + name.dropFirst() + "Tests"
    return .testTarget(
        name: folder, dependencies: [.byName(name: name)] + dependencies, path: "Tests/\(folder)",
        resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "till",
    products: [
        .library(name: "PurchaseVault", targets: ["PurchaseVault"]),
        .library(name: "StoreKit", targets: ["StoreKit"]),
        .library(name: "StoreKitTest", targets: ["StoreKitTest"]),
        .library(name: "StoreBackend", targets: ["StoreBackend"]),
        .library(name: "StoreBackendClient", targets: ["StoreBackendClient"]),
        .library(name: "StoreModel", targets: ["StoreModel"]),
        .executable(name: "till", targets: ["till"]),
    ],
    targets: [
        .systemLibrary(name: "CLinux", path: "Sources/System/CLinux"),
        .systemLibrary(name: "CBZip2", path: "Sources/System/CBZip2", providers: [.apt(["libbz2-dev"])]),
        .systemLibrary(
            name: "CCurl", path: "Sources/System/CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CGD", path: "Sources/System/CGD", pkgConfig: "gdlib", providers: [.apt(["libgd-dev"])]),
        .systemLibrary(
            name: "CMicroHTTPD", path: "Sources/System/CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(
            name: "COpenSSL", path: "Sources/System/COpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CPostgres", path: "Sources/System/CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"])]),
        .systemLibrary(
            name: "CQRCode", path: "Sources/System/CQRCode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(
            name: "CSQLite", path: "Sources/System/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        // The Secret Service, whose library is loaded when it is needed.
        .target(name: "CSecret", path: "Sources/System/CSecret"),
        .systemLibrary(name: "CZlib", path: "Sources/System/CZlib", providers: [.apt(["zlib1g-dev"])]),
        // The enumerations of StoreKit that may grow, its place in Foundation's Bundle, and the end of its processes.
        .target(name: "CStoreKit", dependencies: ["COpenSSL"], path: "Sources/System/CStoreKit"),
        // The pictures of the demo, which are files of StoreCatalogue, and the files that the pages of StoreWeb load.
        .target(name: "CResources", path: "Sources/System/CResources"),
        // The texts of all languages, which are files of StoreFoundation.
        .target(name: "CTexts", path: "Sources/System/CTexts"),
        library("ChildProcesses", in: "Shared", uses: ["CLinux"]),
        library("CommandOptions", in: "Shared", uses: ["StoreModel"]),
        library(
            "ContentPackage", in: "Shared",
            uses: ["CLinux", "CZlib", "StoreFoundation", "StoreModel", "StoreSigning"]),
        library("PurchaseVault", in: "Device", uses: ["CLinux", "CSecret", "StoreFoundation", "StoreSigning"]),
        // What the server of an app's developer is made of. It asks a store as Apple's is asked, and knows no database but
        // the developer's.
        library(
            "StoreBackend", in: "Backend",
            uses: [
                "CPostgres", "CSQLite", "StoreFoundation", "StoreHTTP", "StoreHTTPClient", "StoreLog", "StoreModel",
                "StoreSQLite", "StoreSigning",
            ]),
        // The half of it that is in the app.
        library(
            "StoreBackendClient", in: "Backend",
            uses: ["StoreFoundation", "StoreHTTP", "StoreHTTPClient", "StoreModel", "StoreSigning"]),
        library(
            "StoreCatalogue", in: "Store",
            uses: [
                "CBZip2", "CResources", "ContentPackage", "StoreDatabase", "StoreFoundation", "StoreLog", "StoreModel",
                "StoreRules", "StoreSigning",
            ], excluding: ["Demo/DemoFiles", "Demo/DemoImages"]),
        library(
            "StoreDatabase", in: "Store",
            uses: ["StoreFoundation", "StoreModel", "StoreSQLite", "StoreSigning", "CSQLite"]),
        library("StoreFoundation", in: "Shared", uses: ["CLinux", "CTexts"], excluding: ["Texts"]),
        library("StoreHTTP", in: "Shared", uses: ["CZlib", "StoreFoundation"]),
        library(
            "StoreHTTPListener", in: "Shared", uses: ["CLinux", "StoreFoundation", "StoreHTTP", "CMicroHTTPD"]),
        library("StoreHTTPClient", in: "Shared", uses: ["StoreFoundation", "StoreHTTP", "CCurl"]),
        library(
            "StoreKit", in: "Device",
            uses: [
                "CLinux", "CStoreKit", "ContentPackage", "PurchaseVault", "StoreFoundation", "StoreHTTP",
                "StoreHTTPClient", "StoreModel", "StoreSQLite", "StoreSigning",
            ]),
        // A whole store in the process of a test, beside the device that buys from it.
        library(
            "StoreKitTest", in: "Device",
            uses: [
                "ChildProcesses", "StoreCatalogue", "StoreDatabase", "StoreFoundation", "StoreHTTP",
                "StoreHTTPListener", "StoreKit", "StoreLog",
                "StoreModel", "StoreRules", "StoreScenario", "StoreServer", "StoreService", "StoreSigning",
            ]),
        library("StoreLog", in: "Shared", uses: ["StoreFoundation", "StoreModel"]),
        library("StoreModel", in: "Shared", uses: ["StoreFoundation"]),
        library(
            "StorePostgres", in: "Store", uses: ["ChildProcesses", "StoreDatabase", "StoreFoundation", "CPostgres"]),
        library("StoreRules", in: "Store", uses: ["StoreModel"]),
        library("StoreSQLite", in: "Shared", uses: ["CSQLite"]),
        // The language of scenario files, and their run over whatever takes commands.
        library("StoreScenario", in: "Shared", uses: ["StoreFoundation", "StoreModel"]),
        library(
            "StoreServer", in: "Store",
            uses: [
                "StoreCatalogue", "StoreFoundation", "StoreHTTP", "StoreLog", "StoreModel",
                "StoreRules", "StoreService", "StoreSigning",
            ]),
        library(
            "StoreService", in: "Store",
            uses: [
                "CLinux", "ContentPackage", "StoreCatalogue", "StoreDatabase", "StoreFoundation", "StoreHTTP",
                "StoreHTTPClient",
                "StoreLog", "StoreModel", "StoreRules", "StoreSigning",
            ]),
        library("StoreSigning", in: "Shared", uses: ["COpenSSL", "StoreFoundation", "StoreModel"]),
        library(
            "StoreWeb", in: "Store",
            uses: [
                "CQRCode", "CResources", "StoreCatalogue", "StoreFoundation", "StoreHTTP", "StoreModel",
                "StoreRules", "StoreService", "StoreSigning",
            ], excluding: ["Resources"]),
        // The program that `till processor` runs, and the client that the store reaches it with.
        library(
            "TestProcessor", in: "Store",
            uses: [
                "StoreFoundation", "StoreHTTP", "StoreHTTPClient", "StoreModel", "StoreRules", "StoreSQLite",
                "StoreSigning",
            ]),
        .executableTarget(
            name: "till",
            dependencies: [
                "CLinux", "ChildProcesses", "CommandOptions", "ContentPackage", "StoreBackend", "StoreCatalogue",
                "StoreDatabase", "StoreFoundation",
                "StoreHTTP", "StoreHTTPClient", "StoreHTTPListener", "StoreLog", "StoreModel", "StorePostgres",
                "StoreRules", "StoreScenario", "StoreServer", "StoreService", "StoreSigning", "StoreWeb",
                "TestProcessor",
            ], path: "Sources/Store/till",
            swiftSettings: settings),
        // The sample apps, which use StoreKit as any app does.
        .executableTarget(
            name: "BookChapters", dependencies: ["CommandOptions", "PurchaseVault", "SampleTerminal", "StoreKit"],
            path: "Samples/BookChapters", swiftSettings: settings),
        .executableTarget(
            name: "Magazines",
            dependencies: ["CommandOptions", "SampleTerminal", "StoreBackendClient", "StoreKit", "StoreModel"],
            path: "Samples/Magazines", exclude: ["Server"], swiftSettings: settings),
        .executableTarget(
            name: "MonkeyCredits",
            dependencies: ["CommandOptions", "PurchaseVault", "SampleTerminal", "StoreFoundation", "StoreKit"],
            path: "Samples/MonkeyCredits",
            swiftSettings: settings),
        .executableTarget(
            name: "PhotoFilters",
            dependencies: ["CGD", "CommandOptions", "PurchaseVault", "SampleTerminal", "StoreKit"],
            path: "Samples/PhotoFilters", swiftSettings: settings),
        .executableTarget(
            name: "ProductView", dependencies: ["CommandOptions", "SampleTerminal", "StoreKit"],
            path: "Samples/ProductView", swiftSettings: settings),
        // The screen and the keyboard of the samples.
        .target(name: "SampleTerminal", path: "Samples/SampleTerminal", swiftSettings: settings),
        tests(of: "ChildProcesses", uses: ["TestSupport"]),
        tests(
            of: "StoreBackend",
            uses: [
                "CPostgres", "CSQLite", "PostgresTestServer", "StoreCatalogue", "StoreDatabase", "StoreHTTP",
                "StoreHTTPClient", "StoreHTTPListener", "StoreLog", "StoreModel", "StoreRules", "StoreServer",
                "StoreService", "StoreSigning", "StoreTestSupport", "TestSupport",
            ]),
        tests(
            of: "StoreBackendClient",
            uses: [
                "StoreBackend", "StoreDatabase", "StoreHTTP", "StoreHTTPClient", "StoreHTTPListener", "StoreKit",
                "StoreKitTest", "StoreLog", "StoreModel", "StoreServer", "StoreService", "StoreSigning",
                "StoreTestSupport", "TestSupport",
            ]),
        tests(of: "CommandOptions", uses: ["TestSupport"]),
        tests(of: "ContentPackage", uses: ["CZlib", "StoreFoundation", "StoreModel", "StoreSigning", "TestSupport"]),
        tests(of: "PurchaseVault", uses: ["StoreFoundation", "StoreSigning", "TestSupport"]),
        // Reads the tree of the repository and nothing of what is built.
        .testTarget(name: "RepositoryTests", path: "Tests/RepositoryTests", swiftSettings: settings),
        // Lets the tests in Tests/Conformance drive StoreSigning from Python; part of no product.
        .executableTarget(
            name: "till-conformance",
            dependencies: ["ContentPackage", "StoreBackend", "StoreHTTP", "StoreModel", "StoreSigning"],
            path: "Tests/Conformance/till-conformance", swiftSettings: settings),
        // Answers foreign clients in the tests in Tests/Conformance; part of no product.
        .executableTarget(
            name: "http-probe", dependencies: ["StoreHTTP", "StoreHTTPListener", "TestSupport"],
            path: "Tests/Conformance/http-probe", swiftSettings: settings),
        // Lets tests from outside, and tests that stop it, drive StoreHTTPClient; part of no product.
        .executableTarget(
            name: "till-fetch", dependencies: ["StoreHTTP", "StoreHTTPClient", "StoreSigning", "TestSupport"],
            path: "Tests/Conformance/till-fetch", swiftSettings: settings),
        tests(of: "StoreFoundation", uses: ["TestSupport"]),
        tests(of: "StoreHTTP", uses: ["TestSupport"]),
        tests(of: "StoreHTTPListener", uses: ["StoreHTTP", "TestSupport"]),
        tests(of: "StoreHTTPClient", uses: ["StoreHTTP", "StoreHTTPListener", "TestSupport"]),
        tests(of: "StoreLog", uses: ["StoreFoundation", "StoreModel", "TestSupport"]),
        tests(
            of: "StoreKit",
            uses: [
                "CStoreKit", "ContentPackage", "StoreCatalogue", "StoreDatabase", "StoreHTTP", "StoreHTTPClient",
                "StoreHTTPListener",
                "StoreLog", "StoreModel", "StoreSQLite",
                "StoreRules", "StoreServer", "StoreService", "StoreSigning", "StoreTestSupport", "TestSupport",
            ]),
        tests(
            of: "StoreKitTest",
            uses: [
                "PurchaseVault", "StoreCatalogue", "StoreDatabase", "StoreHTTP", "StoreKit", "StoreModel", "StoreRules",
                "StoreService", "StoreSigning", "TestSupport",
            ],
            resources: [
                .copy("Resources/Club.storekit"), .copy("Resources/Club.till"), .copy("Resources/Monkeys.storekit"),
                .copy("Resources/Monkeys.till"),
                .copy("Resources/Strict.storekit"),
            ]),
        tests(of: "StoreModel", uses: ["TestSupport"]),
        tests(of: "StoreSQLite", uses: ["CSQLite", "TestSupport"]),
        tests(of: "StoreScenario", uses: ["StoreFoundation", "TestSupport"]),
        // Writes to a database until a test kills it; part of no product.
        .executableTarget(
            name: "storage-writer",
            dependencies: [
                "CPostgres", "CSQLite", "StorageTestSupport", "StoreBackend", "StoreDatabase", "StoreModel",
                "StorePostgres",
            ],
            path: "Tests/storage-writer", swiftSettings: settings),
        // Buys with StoreKit until a test kills it; part of no product.
        .executableTarget(
            name: "store-buyer", dependencies: ["StoreHTTPClient", "StoreKit", "StoreModel"], path: "Tests/store-buyer",
            swiftSettings: settings),
        // A disk that fails on demand, beneath SQLite in tests.
        .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
        tests(
            of: "StoreDatabase",
            uses: [
                "CFaultyDisk", "CSQLite", "StorageTestSupport", "StoreFoundation", "StoreModel", "StoreSQLite",
                "TestSupport",
            ]),
        tests(
            of: "StorePostgres",
            uses: ["PostgresTestServer", "StorageTestSupport", "StoreDatabase", "StoreModel", "TestSupport"]),
        // A PostgreSQL server of its own, for tests and benchmarks.
        .target(
            name: "PostgresTestServer", dependencies: ["CPostgres"], path: "Tests/PostgresTestServer",
            swiftSettings: settings),
        // What holds for every database, whatever engine it runs on.
        .target(
            name: "StorageTestSupport", dependencies: ["StoreDatabase", "StoreModel", "TestSupport"],
            path: "Tests/StorageTestSupport", swiftSettings: settings),
        // A store in memory or on PostgreSQL with keys, an app, a customer and a device, for what is tested on one.
        .target(
            name: "StoreTestSupport",
            dependencies: [
                "PostgresTestServer", "StoreCatalogue", "StoreDatabase", "StoreModel", "StorePostgres", "StoreService",
                "StoreSigning", "TestSupport",
            ],
            path: "Tests/StoreTestSupport", swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["StoreHTTP", "StoreModel"], path: "Tests/TestSupport",
            swiftSettings: settings),
        tests(
            of: "StoreCatalogue",
            uses: [
                "ContentPackage", "StoreDatabase", "StoreLog", "StoreModel", "StoreRules", "StoreSigning",
                "StoreTestSupport", "TestSupport",
            ]),
        tests(of: "StoreRules", uses: ["StoreModel", "TestSupport"]),
        tests(
            of: "StoreServer",
            uses: [
                "StoreCatalogue", "StoreDatabase", "StoreFoundation", "StoreHTTP", "StoreLog", "StoreModel",
                "StoreRules", "StoreService",
                "StoreSigning", "StoreTestSupport", "StoreWeb", "TestSupport",
            ]),
        tests(of: "StoreWeb", uses: ["StoreHTTP"]),
        tests(
            of: "StoreService",
            uses: [
                "ContentPackage", "PostgresTestServer", "StorageTestSupport", "StoreCatalogue", "StoreDatabase",
                "StoreHTTP",
                "StoreHTTPClient", "StoreLog",
                "StoreModel", "StorePostgres", "StoreRules", "StoreSigning", "StoreTestSupport",
                "TestSupport",
            ]),
        tests(
            of: "till",
            uses: [
                "CommandOptions", "StoreBackend", "StoreCatalogue", "StoreHTTP", "StoreHTTPClient", "StoreModel",
                "StoreRules", "StoreScenario",
                "StoreService",
                "StoreSigning", "TestProcessor", "TestSupport",
            ]),
        tests(of: "TestProcessor", uses: ["StoreHTTP", "StoreModel", "StoreRules", "TestSupport"]),
        tests(of: "StoreSigning", uses: ["StoreModel", "COpenSSL", "TestSupport"]),
        // The programs that till-bench holds ours against, as a C programmer would write them.
        .target(
            name: "CBenchReference", dependencies: ["COpenSSL", "CPostgres", "CSQLite"], path: "Benchmarks/reference",
            linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "till-bench",
            dependencies: [
                "CBenchReference", "CommandOptions", "ContentPackage", "PostgresTestServer", "PurchaseVault",
                "StoreBackend",
                "StoreCatalogue",
                "StoreDatabase", "StoreHTTP", "StoreHTTPListener", "StoreKit", "StoreKitTest", "StoreLog",
                "StoreModel", "StorePostgres", "StoreSQLite", "StoreServer",
                "StoreService", "StoreSigning", "StoreWeb", "TestProcessor",
            ],
            path: "Benchmarks/till-bench", resources: [.copy("Resources")], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
