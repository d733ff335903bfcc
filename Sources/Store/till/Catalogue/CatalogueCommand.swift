import CommandOptions
import Foundation
import StoreCatalogue
import StoreFoundation
import StoreModel
import StoreServer
import StoreService

/// `till catalogue`, and `till products import`
enum CatalogueCommand {
    static let command = Command<TillProgram.Action>(
        "catalogue", "Take the catalogue from files, write it into files, and publish what was drafted.",
        discussion: """
            Files are those of Xcode (.storekit), and those in a format of our own, which have all of a catalogue but its \
            secrets: teams, apps, groups, products of all kinds, texts, prices, offers, and the digests of images.

            A change of what production sells is a draft, whoever makes it: the sandbox sells by it at once, production once \
            it is published.
            """,
        options: AdminConnection.options,
        examples: [
            Example("Keep it under version control", "till catalogue export --output catalogue.json"),
            Example("See what a file would change", "till catalogue diff catalogue.json"),
            Example("Change it", "till catalogue import catalogue.json"),
            Example("What production does not sell by yet", "till catalogue drafts"),
            Example("For tests on a Mac", "till catalogue export --bundle-id com.example.app --format storekit"),
        ],
        subcommands: [importing(as: "catalogue"), exporting, comparing, validating] + DraftsCommand.commands)

    // MARK: Import

    private static let file = Argument<String>.required(
        .file(), help: "A .storekit file or one of our own; - reads standard input.")
    private static let bundle = Option<BundleID?>.optional(
        "bundle-id", CatalogueOptions.bundleFormat,
        help: "The app of a .storekit file, which does not name it; it is made if there is none.")
    private static let name = Option<String?>.optional(
        "name", .text("NAME"), help: "The name of an app that is made; else its bundle id.")
    private static let approved = Option<Bool>.flag(
        "approved", help: "Let production sell the products too; of our own files, those that are called approved.")
    private static let trial = Option<Bool>.flag("dry-run", help: "Change nothing; say what would be changed.")
    private static let images = Option<String?>.optional(
        "images", .file("FOLDER"), help: "The folder with the images, each under its digest.")

    private static let exits: [ExitCode] = [
        .badData.when("The file is not what it should be, or contradicts what is there; nothing was imported."),
        .inputMissing.when("The file cannot be read, or there is no store."),
        CatalogueOptions.unavailable,
        .failure.when("A product is of another kind in the catalogue, or was removed; nothing was imported."),
    ]

    /// The same under two names.
    static func importing(as group: String) -> Command<TillProgram.Action> {
        Command(
            "import", "Bring teams, apps and their products up to a file.",
            discussion: """
                All of the file is taken or nothing; each mistake is named by its line and its place in the file. Importing a file \
                twice changes nothing. What the file says nothing of stays as it is.

                The prices of a .storekit file are in the currency of its storefront (that of the United States if it names none). \
                Other storefronts sell for what they come to, but for those whose price was set by: till products price
                """,
            options: [bundle, name, approved, trial, images, StandardOptions.json], arguments: [file],
            examples: [
                Example(
                    "Sell the products of a file in the sandbox",
                    "till \(group) import Example.storekit --bundle-id com.example.app")
            ],
            exitCodes: exits, seeAlso: ["till catalogue diff", "till products price", "till provision"],
            action: { arguments, context in
                let reports = try await run(arguments, context, isTrial: arguments[trial])
                try print(reports, hasImages: arguments[images] != nil, arguments, context)
            })
    }

    private static let comparing = Command<TillProgram.Action>(
        "diff", "Say what a file would change.", options: [bundle, approved, StandardOptions.json], arguments: [file],
        examples: [Example("Before an import", "till catalogue diff catalogue.json")],
        exitCodes: exits + [.failure.when("The file would change something.")],
        action: { arguments, context in
            let reports = try await run(arguments, context, isTrial: true)
            try print(reports, arguments, context)
            if !reports.changedNothing { throw CommandFailure(.failure, "the file would change the catalogue") }
        })

    private static func run(
        _ arguments: ParsedArguments, _ context: CommandContext, isTrial: Bool
    ) async throws -> ImportReports {
        let bytes = try InputFile.read(arguments[file], limit: StoreKitFileLimits.bytes)
        var query = URLComponents()
        query.queryItems = [
            URLQueryItem(name: "approved", value: arguments[approved] ? "true" : "false"),
            URLQueryItem(name: "trial", value: isTrial ? "true" : "false"),
        ]
        if let name = arguments[name] { query.queryItems?.append(URLQueryItem(name: "name", value: name)) }
        let items = (query.percentEncodedQuery ?? "").replacing("+", with: "%2B")
        let folder = isTrial ? nil : arguments[images]
        return try await AdminConnection.withStore(arguments, context) { store in
            let path =
                arguments[bundle].map { "\(CatalogueOptions.path($0))/import" } ?? "/production/control/v1/catalogue"
            let reports = try await store.ask("PUT", "\(path)?\(items)", bytes: bytes, as: ImportReports.self)
            if let folder {
                for report in reports.apps { try await upload(report, folder, isApproved: arguments[approved], store) }
            }
            return reports
        }
    }

    /// Gives products the images that the file says they have.
    private static func upload(
        _ report: ImportReport, _ folder: String, isApproved: Bool, _ store: AdminConnection
    ) async throws {
        for (image, products) in report.images {
            let parts = image.split(separator: ":").map(String.init)
            let path = folder + "/" + parts[1]
            let bytes = try InputFile.read(path, limit: ProductImages.mostBytes + 1)
            for product in products {
                _ = try await store.ask(
                    "PUT",
                    "\(CatalogueOptions.path(report.bundleId))/products/\(product)/images/\(parts[0])"
                        + (isApproved ? "?approved=true" : ""),
                    bytes: bytes, of: "application/octet-stream", as: CatalogueDetailsAnswer.self)
            }
        }
    }

    private static func print(
        _ reports: ImportReports, hasImages: Bool = false, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(reports) }
        for team in reports.teams { context.print(line(team)) }
        for report in reports.apps { for line in lines(report, hasImages: hasImages) { context.print(line) } }
        for line in reports.items.map(lines) ?? [] { context.print(line) }
    }

    /// What became of the items of the storefront.
    private static func lines(_ report: ItemImportReport) -> [String] {
        var lines = ["items of the storefront: \(report.changedNothing ? "nothing new" : "")"]
        if !report.changedNothing {
            lines = [
                "items of the storefront: \(report.added.count) added, \(report.changed.count) changed, "
                    + "\(report.unchanged.count) as they were"
            ]
        }
        if !report.unapproved.isEmpty {
            lines.append("approved in the file, not here: \(names(report.unapproved.map(String.init)))")
        }
        if !report.files.isEmpty {
            lines.append("\(report.files.count) files are not in the file: give each with till items file")
        }
        return lines
    }

    private static func line(_ team: ImportReports.Team) -> String {
        let name = PrintableText(team.name, limit: 100)
        if let former = team.formerName {
            return "team \(team.teamId): \(PrintableText(former, limit: 100)) -> \(name)"
        }
        return "team \(team.teamId): a new team, \(name)"
            + (team.maySell ? "" : "; to sell it has to agree: till agreements accept \(team.teamId) paid --by NAME")
    }

    /// - Parameter hasImages: whether the folder with the images is given.
    static func lines(_ report: ImportReport, hasImages: Bool = false) -> [String] {
        var lines = ["\(report.bundleId): " + (report.isNewApp ? "a new app" : "app \(report.appId)")]
        if report.isNewApp, !report.isTrial { lines = ["\(report.bundleId): app \(report.appId), made"] }
        for (word, ids) in [
            ("added", report.added), ("changed", report.changed), ("unchanged", report.unchanged),
            ("not in the file, kept", report.kept),
        ] where !ids.isEmpty {
            lines.append("\(word): \(names(ids.map(\.text)))")
        }
        for difference in report.differences.prefix(shownDifferences) {
            let place = [difference.productId?.text, difference.field].compactMap(\.self).joined(separator: " ")
            lines.append("  \(place): \(value(difference.before)) -> \(value(difference.after))")
        }
        if report.differences.count > shownDifferences {
            lines.append("  and \(report.differences.count - shownDifferences) more; --json has all")
        }
        if report.changedNothing { lines.append("nothing \(report.isTrial ? "would change" : "changed")") }
        for product in report.unpriced {
            lines.append(ProductsList.unpriced(product.storefronts, product.productId, of: report.bundleId))
        }
        if !report.unapproved.isEmpty {
            lines.append("approved in the file, not here: \(names(report.unapproved.map(\.text)))")
        }
        if !report.drafted.isEmpty {
            let when = report.isTrial ? "would wait" : "wait"
            lines.append(
                "drafts, which \(when) for till catalogue publish \(report.bundleId): "
                    + names(report.drafted.map(\.text)))
        }
        for (image, products) in report.images.sorted(by: { $0.key < $1.key }) where !hasImages {
            let what = image.split(separator: ":").first.map(String.init) ?? image
            lines.append(
                "\(what) image of \(names(products.map(\.text))) is not in the file: give its folder with --images")
        }
        lines += report.omitted.map { "without effect here: \(text($0))" }
        lines += report.noise.map { "passed over: \(text($0))" }
        return lines
    }

    private static func value(_ text: String?) -> String {
        text.map { $0.isEmpty ? "none" : PrintableText($0, limit: 100).description } ?? "none"
    }

    static func text(_ finding: FileFinding) -> String {
        "\(finding.what): \(finding.count) (\(names(finding.of)))"
    }

    private static func names(_ all: [String]) -> String {
        let names = all.prefix(shownNames).map { PrintableText($0, limit: 100).description }
        let more = all.count > names.count ? " and \(all.count - names.count) more" : ""
        return names.joined(separator: ", ") + more
    }

    /// How many names a line has, and how many lines differences have; `--json` has all.
    private static let (shownNames, shownDifferences) = (12, 50)

    // MARK: Export

    private static let format = Option<String>.defaulted(
        "format", .choice("FORMAT", ["till", "storekit"]), to: "till",
        help: "All of the catalogue in a format of our own, or a file for Xcode.")
    private static let storefront = Option<String?>.optional(
        "storefront", .text("CODE"),
        help: "Whose prices a .storekit file has; else those of the file that was imported, or of USA.")
    private static let output = Option<String?>.optional(
        "output", .file("FILE"), help: "Where to write it; else to standard output.")
    private static let only = Option<BundleID?>.optional(
        "bundle-id", CatalogueOptions.bundleFormat, help: "Of this app only; a .storekit file is of one.")
    private static let imageFolder = Option<String?>.optional(
        "images", .file("FOLDER"), help: "Write the images there too, each under its digest.")

    private static let exporting = Command<TillProgram.Action>(
        "export", "Write the catalogue into a file.",
        discussion: """
            A file of our own enters an empty store. What is of this store alone is not in it, and is said. A .storekit file that \
            was imported comes back as it was written, as long as nothing was changed; what there is no place for in such a \
            file is said.
            """,
        options: [only, format, storefront, output, imageFolder],
        examples: [
            Example("All of it", "till catalogue export --output catalogue.json --images images"),
            Example(
                "For tests on a Mac",
                "till catalogue export --bundle-id com.example.app --format storekit --output Example.storekit"),
        ],
        exitCodes: [
            CatalogueOptions.missing, CatalogueOptions.unavailable,
            .inputOutput.when("The file cannot be written."),
        ],
        action: export)

    private static func export(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let isOfXcode = arguments[format] == "storekit"
        guard arguments[only] != nil || !isOfXcode else {
            throw CommandFailure(.usage, "a .storekit file is of one app; name it by --bundle-id")
        }
        let place = arguments[storefront].map { "?storefront=\(SaleOptions.escaped($0))" } ?? ""
        guard isOfXcode || arguments[storefront] == nil else {
            throw CommandFailure(.usage, "--storefront is for --format storekit; a file of our own has all prices")
        }
        let app = arguments[only].map { CatalogueOptions.path($0) }
        let path =
            app.map { isOfXcode ? "\($0)/storekit\(place)" : "\($0)/catalogue" } ?? "/production/control/v1/catalogue"
        let bytes = try await AdminConnection.withStore(arguments, context) { store in
            let bytes = try await store.bytes("GET", path)
            if let folder = arguments[imageFolder] { try await download(bytes, into: folder, store) }
            return bytes
        }
        let answer = try JSONNode(bytes, depth: depth)
        let file = isOfXcode ? answer.members["file"] ?? .null : answer
        if let path = arguments[output] {
            do {
                try Data((file.text + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
            } catch {
                throw CommandFailure(.inputOutput, "\(path) cannot be written: \(error.localizedDescription)")
            }
        } else {
            context.print(file.text)
        }
        guard isOfXcode else { return context.printError("Not in the file: \(left(arguments[imageFolder] != nil)).") }
        guard let omitted = answer.members["omitted"] else { return }
        for finding in try JSONDecoder().decode([FileFinding].self, from: Data(omitted.text.utf8)) {
            context.printError("not in a .storekit file: \(text(finding))")
        }
    }

    /// What a file of our own does not have.
    private static func left(_ hasImages: Bool) -> String {
        "secrets and keys, members, agreements, bank data and suspensions of teams, versions of apps, decisions of reviewers, "
            + "codes of offers, hosted content" + (hasImages ? "" : ", images (--images writes them)")
    }

    private static let depth = 1000

    private static func download(_ file: [UInt8], into folder: String, _ store: AdminConnection) async throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.inputOutput, "\(folder) cannot be made: \(error.localizedDescription)")
        }
        for app in (try JSONNode(file, depth: depth).members["apps"] ?? .null).nodes {
            guard let bundle = app.members["bundleId"]?.string else { continue }
            for product in app.members["products"]?.nodes ?? [] {
                guard let id = product.members["productId"]?.string else { continue }
                for (kind, digest) in product.members["images"]?.members ?? [:] {
                    let path = "/production/control/v1/apps/\(bundle)/products/\(id)/images/\(kind)"
                    guard let name = digest.string else { continue }
                    try Data(await store.bytes("GET", path)).write(to: URL(filePath: "\(folder)/\(name)"))
                }
            }
        }
    }

    // MARK: Validation

    private static let files = Argument<[String]>.rest(
        .file(), atLeastOne: true, help: "Files of Xcode or of our own; - reads standard input.")

    private static let validating = Command<TillProgram.Action>(
        "validate", "Read files and say what is wrong with them, without a store.", options: [StandardOptions.json],
        arguments: [files], examples: [Example("In a build", "till catalogue validate Example.storekit")],
        exitCodes: [
            .badData.when("A file is not what it should be."), .inputMissing.when("A file cannot be read."),
        ],
        action: { arguments, context in
            var results: [Validation] = []
            for path in arguments[files] {
                let bytes = try InputFile.read(path, limit: StoreKitFileLimits.bytes)
                do {
                    let file = try CatalogueFile(bytes)
                    results.append(
                        Validation(
                            file: path, isValid: true, error: nil,
                            products: file.apps.reduce(0) { $0 + $1.products.count },
                            omitted: file.omissions, noise: file.noise))
                } catch let error as CatalogueError {
                    results.append(
                        Validation(
                            file: path, isValid: false, error: error.message, products: 0, omitted: [], noise: []))
                }
            }
            if arguments[StandardOptions.json] {
                try context.printJSON(Page(results))
            } else {
                for result in results { for line in lines(result) { context.print(line) } }
            }
            let wrong = results.count { !$0.isValid }
            guard wrong == 0 else {
                throw CommandFailure(.badData, "\(wrong) of \(results.count) files cannot be imported")
            }
        })

    private struct Validation: Codable, Hashable {
        let file: String
        let isValid: Bool
        let error: String?
        let products: Int
        let omitted: [FileFinding]
        let noise: [FileFinding]
    }

    private static func lines(_ result: Validation) -> [String] {
        let path = PrintableText(result.file, limit: 500)
        if let error = result.error { return ["\(path): \(error)"] }
        return ["\(path): \(result.products) products"]
            + result.omitted.map { "  kept, without effect: \(text($0))" }
            + result.noise.map { "  passed over: \(text($0))" }
    }
}
