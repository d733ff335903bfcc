import CBenchReference
import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService

/// A file of 10 000 products becomes a catalogue, against the same rows written by C.
struct CatalogueImportRow: BenchmarkRow {
    let name = "catalogue-import"
    let summary = "A file of 10 000 products is read, checked and imported into an empty catalogue, durable."
    let reference = "C: SQLite, the same rows in one durable commit"

    fileprivate static let count = 10_000

    func prepare() throws -> Contest {
        let empty = try TemporaryFolder()
        try FirstThread.wait { await (try StoreDatabases.sqlite(in: empty.path, .current())).close() }
        let products = (1...Self.count).map { number in
            """
            {"productID":"com.example.p\(number)","type":"Consumable","displayPrice":"0.99","referenceName":"P\(number)",
             "familyShareable":false,"internalID":"\(number)","localizations":[{"locale":"en_US","displayName":"Product \(number)",
             "description":"What number \(number) is for."}]}
            """
        }
        let file = #"{"version":{"major":3,"minor":0},"products":[\#(products.joined(separator: ","))]}"#
        let ours = CatalogueImporter(empty, Array(file.utf8))
        return Contest(ours: ours, reference: try CatalogueRows(empty, written: ours.importOnce().folder))
    }
}

/// Imports the file into a copy of an empty store, again and again; only the imports are timed.
private final class CatalogueImporter: Contestant {
    private let empty: TemporaryFolder
    private let file: [UInt8]

    init(_ empty: TemporaryFolder, _ file: [UInt8]) {
        (self.empty, self.file) = (empty, file)
    }

    func importOnce() throws -> (folder: TemporaryFolder, seconds: Double) {
        let folder = try TemporaryFolder()
        _ = try ChildProcess.output(of: "cp", ["-a", empty.path + "/.", folder.path])
        let (path, file) = (folder.path, file)
        let seconds = try FirstThread.wait {
            let databases = try await StoreDatabases.sqlite(in: path, .current())
            let clock = ContinuousClock()
            let start = clock.now
            let order = try CatalogueImport(CatalogueFile(file), into: BundleID(parsing: "com.example.p"))
            let reports = try await order.run(
                in: databases.catalogue, numbers: Numbers(databases.catalogue), at: BenchClock.start)
            let elapsed = (clock.now - start) / .seconds(1)
            await databases.close()
            guard reports.apps.first?.added.count == CatalogueImportRow.count else {
                throw BenchmarkError("not all is there")
            }
            return elapsed
        }
        return (folder, seconds)
    }

    func run(seconds: Double) throws -> Rate {
        var (count, elapsed) = (0, 0.0)
        while elapsed < seconds {
            elapsed += try importOnce().seconds
            count += CatalogueImportRow.count
        }
        return Rate(operations: count, seconds: elapsed)
    }
}

/// Writes the rows of an import into a copy of the empty store.
private final class CatalogueRows: Contestant {
    private static let tables = [
        "team", "team_agreement", "app", "product", "product_text", "product_review", "catalogue_audit",
    ]

    private let empty: TemporaryFolder
    private let written: TemporaryFolder

    init(_ empty: TemporaryFolder, written: TemporaryFolder) throws {
        (self.empty, self.written) = (empty, written)
    }

    func run(seconds: Double) throws -> Rate {
        var (count, elapsed) = (0, 0.0)
        while elapsed < seconds {
            elapsed += try write()
            count += CatalogueImportRow.count
        }
        return Rate(operations: count, seconds: elapsed)
    }

    private func write() throws -> Double {
        let folder = try TemporaryFolder()
        _ = try ChildProcess.output(of: "cp", ["-a", empty.path + "/.", folder.path])
        let names = Self.tables.map { strdup($0) }
        defer { for name in names { free(name) } }
        let pointers = names.map { UnsafePointer($0) }
        let file = { (folder: TemporaryFolder) in folder.path + "/catalogue.sqlite" }
        guard let reference = till_catalogue_reference_new(file(written), file(folder), pointers, Int32(pointers.count))
        else { throw BenchmarkError("the C reference cannot read \(file(written))") }
        defer { till_catalogue_reference_free(reference) }
        let clock = ContinuousClock()
        let start = clock.now
        guard till_catalogue_reference_run(reference) == 1 else { throw BenchmarkError("the C reference cannot write") }
        return (clock.now - start) / .seconds(1)
    }
}
