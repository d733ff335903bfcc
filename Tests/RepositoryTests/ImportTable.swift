/// Who may import whom: the arrows of the architecture, as data.
enum ImportTable {
    /// Each target and the modules its sources name; what those reach may be imported too.
    static let targets: [String: [String]] = {
        var targets = libraries
        // The command stands above everything but the side of the device.
        let store = Set(libraries.keys).subtracting(device)
        targets["till"] = store.sorted()
        targets["till-bench"] = ["CBenchReference", "PostgresTestServer"] + Set(libraries.keys).sorted()
        targets["CBenchReference"] = ["COpenSSL", "CPostgres", "CSQLite"]
        targets["till-conformance"] = ["ContentPackage", "StoreBackend", "StoreHTTP", "StoreModel", "StoreSigning"]
        targets["http-probe"] = ["StoreHTTP", "StoreHTTPListener", "TestSupport"]
        targets["TestSupport"] = ["StoreModel", "StoreHTTP"]
        targets["CFaultyDisk"] = ["CSQLite"]
        targets["storage-writer"] = ["StoreBackend", "StoreDatabase", "StorageTestSupport", "StorePostgres"]
        targets["store-buyer"] = ["StoreHTTPClient", "StoreKit", "StoreModel"]
        targets["StorageTestSupport"] = ["StoreDatabase", "TestSupport"]
        targets["StoreTestSupport"] = ["StoreService", "PostgresTestServer", "StorePostgres", "TestSupport"]
        targets["PostgresTestServer"] = ["CPostgres"]
        targets["RepositoryTests"] = []
        for sample in samples {
            targets[sample] = [
                "SampleTerminal", "StoreKit", "StoreBackend", "StoreBackendClient", "CommandOptions", "PurchaseVault",
            ]
        }
        targets["PhotoFilters"]?.append("CGD")
        targets["SampleTerminal"] = []
        // The tests of a target see what it sees.
        for target in libraries.keys { targets["\(target)Tests"] = [target, "TestSupport"] }
        for target in ["StoreDatabaseTests", "StorePostgresTests", "StoreServiceTests"] {
            targets[target]?.append("StorageTestSupport")
        }
        for target in ["StoreCatalogueTests", "StoreServiceTests", "StoreServerTests"] {
            targets[target]?.append("StoreTestSupport")
        }
        targets["till-fetch"] = ["StoreHTTP", "StoreHTTPClient", "StoreSigning", "TestSupport"]
        // The client is held against our own listener too.
        targets["StoreHTTPClientTests"] = ["StoreHTTPClient", "StoreHTTPListener", "TestSupport"]
        // StoreKit is tested against a whole store, in memory and over a socket.
        targets["StoreKitTests"]? += ["StoreServer", "StoreHTTPListener", "StoreTestSupport"]
        // A backend is tried against a whole store, and on both engines.
        targets["StoreBackendTests"]? += ["StoreServer", "StoreHTTPListener", "StoreTestSupport", "CSQLite"]
        // The app's half is tried against a listener, and against a whole store and a backend.
        targets["StoreBackendClientTests"]? += [
            "StoreBackend", "StoreHTTPListener", "StoreKitTest", "StoreTestSupport",
        ]
        // A listener is tried as it runs, with its pages.
        targets["StoreServerTests"]?.append("StoreWeb")
        targets["StoreDatabaseTests"]?.append("CFaultyDisk")
        targets["StorePostgresTests"]?.append("PostgresTestServer")
        // Use cases are tried on both engines.
        targets["StoreServiceTests"]? += ["PostgresTestServer", "StorePostgres"]
        // The folder has the name in capitals, as folders of tests do.
        targets["TillTests"] = ["till", "TestSupport"]
        return targets
    }()

    private static let device: Set<String> = [
        "StoreKit", "StoreKitTest", "StoreBackendClient", "PurchaseVault", "CStoreKit", "CSecret",
    ]

    private static let samples = ["MonkeyCredits", "PhotoFilters", "BookChapters", "ProductView", "Magazines"]

    private static let libraries: [String: [String]] = [
        "CBZip2": [],
        "CCurl": [],
        "CGD": [],
        "CLinux": [],
        "CMicroHTTPD": [],
        "COpenSSL": [],
        "CPostgres": [],
        "CQRCode": [],
        "CResources": [],
        "CSQLite": [],
        "CSecret": [],
        "CStoreKit": ["COpenSSL"],
        "CTexts": [],
        "CZlib": [],

        "ChildProcesses": ["StoreFoundation"],
        "CommandOptions": ["StoreModel"],
        "ContentPackage": ["StoreModel", "StoreSigning", "CZlib"],
        "StoreFoundation": ["CLinux", "CTexts"],
        "StoreHTTP": ["StoreFoundation", "CZlib"],
        "StoreHTTPClient": ["StoreHTTP", "CCurl"],
        "StoreHTTPListener": ["StoreHTTP", "CMicroHTTPD"],
        "StoreLog": ["StoreModel"],
        "StoreModel": ["StoreFoundation"],
        "StoreSQLite": ["StoreFoundation", "CSQLite"],
        "StoreScenario": ["StoreModel"],
        "StoreSigning": ["StoreModel", "COpenSSL"],

        // Of StoreSigning it needs the digest that blobs are named by.
        "StoreDatabase": ["StoreModel", "StoreSQLite", "StoreSigning"],
        "StorePostgres": ["ChildProcesses", "StoreDatabase", "CPostgres"],
        "StoreRules": ["StoreModel"],
        "StoreCatalogue": [
            "StoreModel", "StoreRules", "StoreSigning", "StoreDatabase", "StoreLog", "CBZip2", "CResources",
            "ContentPackage",
        ],
        "StoreServer": ["StoreCatalogue", "StoreService", "StoreHTTP", "StoreLog"],
        "StoreService": ["CLinux", "StoreCatalogue", "StoreHTTP", "StoreHTTPClient"],
        "StoreWeb": ["CQRCode", "CResources", "StoreCatalogue", "StoreService", "StoreHTTP"],
        // A program of its own: nothing of the store but what the store asks of every processor.
        "TestProcessor": ["StoreRules", "StoreHTTP", "StoreHTTPClient", "StoreSQLite", "StoreSigning"],

        "PurchaseVault": ["StoreSigning", "CSecret"],
        "StoreKit": [
            "StoreModel", "StoreSigning", "StoreSQLite", "StoreHTTP", "StoreHTTPClient", "ContentPackage", "CStoreKit",
            "PurchaseVault",
        ],
        "StoreKitTest": ["StoreKit", "StoreServer", "StoreScenario", "StoreHTTPListener", "ChildProcesses"],

        "StoreBackend": [
            "StoreModel", "StoreSigning", "StoreSQLite", "StoreHTTP", "StoreHTTPClient", "StoreLog", "CPostgres",
        ],
        "StoreBackendClient": ["StoreModel", "StoreSigning", "StoreHTTP", "StoreHTTPClient"],
    ]

    /// What a target reaches through others and does not import itself: routes and pages call use cases, which have the transactions.
    static let onlyThroughOthers: [String: Set<String>] = [
        "StoreServer": ["StoreDatabase"], "StoreWeb": ["StoreDatabase"],
    ]

    /// Everything a target may import: what its line names, and what those reach.
    static func reach(of target: String, in table: [String: [String]] = targets) -> Set<String> {
        var reached: Set<String> = []
        var waiting = table[target] ?? []
        while let next = waiting.popLast() {
            if reached.insert(next).inserted { waiting += table[next] ?? [] }
        }
        return reached
    }
}
