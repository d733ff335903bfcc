import Foundation
import StoreCatalogue
import StoreService

/// A `.storekit` file: what is sold, and the settings to begin with.
struct TestConfiguration: Sendable {
    let bytes: [UInt8]
    let file: StoreKitFile
    let settings: TestSettings

    init(contentsOf url: URL) throws {
        guard url.isFileURL else { throw SKTestError(.invalidURL, "\(url) is not the address of a file.") }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw SKTestError(.fileNotFound, "There is no file \(url.path).")
        }
        do {
            bytes = Array(try Data(contentsOf: url))
            file = try StoreKitFile(bytes)
        } catch {
            throw SKTestError(.invalidURL, "\(url.path) is no configuration that can be read: \(error)")
        }
        settings = TestSettings(bytes)
    }

    /// What of it has no effect in a session, for the developer.
    var warnings: [String] {
        let unknown = settings.unknownErrors
        let errors = "lets \(unknown.joined(separator: ", ")) fail, which is no call of StoreKit."
        return (unknown.isEmpty ? [] : [errors])
            + file.omissionsInTests.map { finding in
                "has \(finding.what), which are left out: \(finding.of.joined(separator: ", "))"
            }
    }

    /// Where a resource of a bundle of this process lies.
    static func url(named name: String) throws -> URL {
        for bundle in bundles {
            if let url = bundle.url(forResource: name, withExtension: "storekit") { return url }
        }
        throw SKTestError(.fileNotFound, "No bundle of this program has a file \(name).storekit.")
    }

    /// The bundles that Foundation knows, and those that packages have beside the program.
    private static var bundles: [Bundle] {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        let folders = [program, Bundle.main.bundleURL].compactMap(\.self)
        let beside = folders.flatMap { folder in
            let files =
                (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
            return files.filter { ["resources", "bundle"].contains($0.pathExtension) }
                .sorted { $0.path < $1.path }.compactMap(Bundle.init(url:))
        }
        return [Bundle.main] + Bundle.allBundles + beside
    }
}
