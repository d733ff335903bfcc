import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreServer
import StoreService

/// `till dev`
enum DevCommand {
    private static let file = Option<String?>.optional(
        "storekit", .file(),
        help: "A .storekit file, or one of our own, whose products the store sells instead of the demo's.")

    private static let bundle = Option<BundleID>.defaulted(
        "bundle-id", CatalogueOptions.bundleFormat, to: usualBundle,
        help: "The app of a .storekit file, which does not name it.")

    // Safe: it is one.
    private static let usualBundle = BundleID("com.example.app")!

    static let command = Command<TillProgram.Action>(
        "dev", "Run a store for the moment: something to sell, a tester, and the console.",
        discussion: """
            Everything is as with till serve, but that the store begins with the products of the demo or of a file, has a \
            tester to buy with, prints a link that opens its console, and, unless --data names a folder, lives in memory: \
            when it ends, it is gone. Commands that are not told where their store is find it, where there is no ./till_data \
            and no second one.

            What customers do is told as it happens, a line for each.
            """,
        options: [file, bundle] + ServeCommand.options, rules: ServeOptions.rules,
        examples: [
            Example("The demo, in memory", "till dev"),
            Example(
                "Your products, as Xcode keeps them",
                "till dev --storekit Products.storekit --bundle-id com.example.app"),
            Example("To go on tomorrow", "till dev --data ./till_data"),
        ],
        exitCodes: ServeCommand.exitCodes + [
            .badData.when("The file of --storekit is not what it should be; nothing was started.")
        ],
        seeAlso: ["till serve", "till console", "till provision"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let imported = try arguments[file].map { path in
            let bytes = try InputFile.read(path, limit: StoreKitFileLimits.bytes)
            do {
                let file = try CatalogueFile(bytes)
                return try CatalogueImport(file, into: file.isOfXcode ? arguments[bundle] : nil)
            } catch {
                throw CommandFailure(.badData, "\(path): \(error)")
            }
        }
        let isPassing = arguments.source(of: DataOptions.data) == .declaration
        let passing = isPassing ? PassingFolder() : nil
        try passing?.make()
        defer { passing?.remove() }
        try await ServeCommand.run(
            ServeSettings(
                arguments, passing: passing.map { DataDirectory($0.path) }, file: imported, isForDevelopment: true),
            context)
    }
}

/// A folder in memory, where the system has such, which is gone with its process.
struct PassingFolder {
    let path: String

    private let prefix: String

    private static let memory = "/dev/shm"
    private static let prefix = "till-dev-"

    private static var place: String { access(memory, W_OK) == 0 ? memory : NSTemporaryDirectory() }

    /// - Parameter prefix: what the folders of a command begin with; nil for those of stores that commands find.
    init(prefix: String? = nil) {
        self.prefix = prefix ?? Self.prefix
        path = "\(Self.place)/\(self.prefix)\(getpid())"
    }

    /// The folders of the processes that run, of this user.
    static var running: [String] {
        names(prefix).compactMap { name, process in
            var status = stat()
            guard kill(process, 0) == 0 || errno == EPERM, stat("\(place)/\(name)", &status) == 0,
                status.st_uid == getuid()
            else { return nil }
            return "\(place)/\(name)"
        }
    }

    func make() throws {
        removeForgotten()
        remove()
        try DataDirectory.makeFolder(path)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Removes those of processes that were killed.
    private func removeForgotten() {
        for (name, process) in Self.names(prefix) where kill(process, 0) != 0 && errno == ESRCH {
            try? FileManager.default.removeItem(atPath: "\(Self.place)/\(name)")
        }
    }

    /// The names of all such folders, with the processes that made them.
    private static func names(_ prefix: String) -> [(name: String, process: pid_t)] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return all.sorted().compactMap { name in
            guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count)) else { return nil }
            return (name, process)
        }
    }
}
