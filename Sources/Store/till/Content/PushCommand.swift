import CommandOptions
import ContentPackage
import Foundation
import StoreHTTPClient
import StoreModel
import StoreServer

/// `till content push`
enum PushCommand {
    private static let app = Option<BundleID?>.optional(
        "app", CatalogueOptions.bundleFormat, help: "The app; else the one that has the product.")

    private static let wait = Option<Bool>.flag("wait", help: "Return when the store has looked at it.")

    static let command = Command<TillProgram.Action>(
        "push", "Bring content to a store.",
        discussion: """
            A folder is packed first. What breaks a rule is not sent. A connection that breaks and a store that is restarted \
            are waited for; a push that was ended goes on where it stopped when the same command is given again.
            """,
        options: [app, ContentCommand.product, ContentCommand.workingFolder, wait, StandardOptions.json]
            + ContentStore.options,
        arguments: [ContentCommand.source],
        examples: [
            Example("To the store of ./till_data", "till content push chapter1"),
            Example(
                "To a store elsewhere",
                "TILL_TOKEN=$TOKEN till content push chapter1.pkg --store https://store.example.com"),
        ],
        exitCodes: [
            ContentCommand.brokenRule, .failure.when("The store does not take it; the message says why."),
            ContentCommand.disk,
        ] + ContentStore.exitCodes,
        seeAlso: ["till content status", "till products hosting"], action: push)

    private static func push(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let path = try await package(arguments, context)
        let validation = try await ContentCommand.look(path, for: arguments[ContentCommand.product], context)
        guard validation.isValid, let product = validation.info?.product, let version = validation.info?.version else {
            for finding in validation.findings { context.print(ContentCommand.line(finding)) }
            throw CommandFailure(.badData, "\(ContentCommand.count(validation.findings)); nothing was sent")
        }
        let package = try await PackageFile.open(path)
        let progress = TransferBar("pushing", context)
        let (bundle, answer) = try await ContentStore.with(arguments, context) { store in
            let target = try await target(arguments, product, store, context)
            let place = ContentStore.path(target, product)
            let known = try await store.ask("GET", place, as: Page<ContentVersionAnswer>.self).items
            if let same = known.first(where: { isSame($0, package) }) {
                return (target, try await processed(same, at: place, arguments, store, progress))
            }
            try requireRising(version, above: known, context)
            defer { progress.end() }
            let upload = PackageUpload(store: store, path: place, package: package, progress: progress)
            return (target, try await processed(upload.run(), at: place, arguments, store, progress))
        }
        if arguments[StandardOptions.json] {
            try context.printJSON(answer)
        } else {
            context.print(
                "submitted: \(product) version \(version), \(ByteText(package.bytes)), upload \(answer.number)")
            let lines = ContentVersionCommands.findings(answer) + ContentVersionCommands.next(answer, bundle, product)
            for line in lines { context.print(line) }
        }
        if answer.state == "failed" { throw CommandFailure(.badData, "the store refused it") }
    }

    /// What became of an upload: at once, or when the store has looked at it, which it may do after it was restarted.
    private static func processed(
        _ answer: ContentVersionAnswer, at place: String, _ arguments: ParsedArguments, _ store: ContentStore,
        _ progress: TransferBar
    ) async throws -> ContentVersionAnswer {
        var (answer, asked, failures) = (answer, 0, 0)
        let retries = PackageUpload.patience
        while arguments[wait], answer.state == "processing" {
            asked += 1
            try await Task.sleep(for: .milliseconds(min(250 * asked, 5000)))
            do {
                answer = try await store.ask("GET", "\(place)/\(answer.number)", as: ContentVersionAnswer.self)
                failures = 0
            } catch let failure as StoreFailure where failure.isTransient {
                failures += 1
                guard let delay = retries.delay(afterFailures: failures) else {
                    throw StoreFailure(
                        .unavailable, "\(failure.failure.message); the package is submitted")
                }
                if failures == 1 { progress.say("the store does not answer; trying again") }
                try await retries.wait(delay)
            }
        }
        return answer
    }

    /// Whether a package was submitted before, by a push that was ended before it could say so.
    private static func isSame(_ answer: ContentVersionAnswer, _ package: PackageFile) -> Bool {
        answer.packageDigest == package.digest && answer.packageBytes == package.bytes
            && ["processing", "ready_to_submit", "approved"].contains(answer.state)
    }

    /// Finds a version that is not above the others before hours of sending rather than behind them.
    private static func requireRising(
        _ version: ContentVersion, above known: [ContentVersionAnswer], _ context: CommandContext
    ) throws {
        let read = known.filter { $0.processedAt != nil && !["failed", "unhosted"].contains($0.state) }
            .compactMap(\.contentVersion)
        guard let highest = read.max(), version <= highest else { return }
        context.print(
            "ContentInfo.plist: \(ContentRule.versionNotRaised.rawValue): \(ContentInfo.versionKey) is \(version), and the store "
                + "has \(highest); raise it")
        throw CommandFailure(.badData, "1 finding; nothing was sent")
    }

    /// The package, which is made first if there is a folder.
    private static func package(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> String {
        let source = arguments[ContentCommand.source]
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: source, isDirectory: &isFolder), isFolder.boolValue else {
            return source
        }
        let path = ContentCommand.packagePath(of: source)
        let report = try await ContentCommand.make(
            path, of: source, for: arguments[ContentCommand.product], in: arguments[ContentCommand.workingFolder],
            context)
        if !arguments[StandardOptions.json] {
            context.print("packed \(source) into \(path), \(ByteText(report.packageBytes ?? 0))")
        }
        return path
    }

    /// The app that has the product; asks if several have it.
    private static func target(
        _ arguments: ParsedArguments, _ product: ProductID, _ store: ContentStore, _ context: CommandContext
    ) async throws -> BundleID {
        if let bundle = arguments[app] { return bundle }
        let apps = try await store.all("/apps", of: CatalogueAppAnswer.self).map(\.bundleId)
        var (having, hosted): ([BundleID], [String]) = ([], [])
        for bundle in apps {
            let products = try await store.all("/apps/\(bundle)/products", of: CatalogueProductAnswer.self)
            if products.contains(where: { $0.productId == product }) { having.append(bundle) }
            hosted += products.filter(\.hostsContent).map { "\($0.productId) of \(bundle)" }
        }
        if having.count == 1 { return having[0] }
        if having.isEmpty {
            let known =
                hosted.isEmpty ? "no product hosts content" : "content is hosted of \(hosted.joined(separator: ", "))"
            throw CommandFailure(
                .inputMissing, "no app has the product \(product), which \(ContentInfo.identifierKey) names; \(known)")
        }
        guard
            let choice = try TerminalChoice.ask("\(product) is a product of several apps:", having.map(\.text), context)
        else {
            let names = having.map(\.text).joined(separator: ", ")
            throw CommandFailure(.usage, "\(product) is a product of \(names); say which with --app")
        }
        return having[choice]
    }
}

/// A question on the terminal with numbered answers.
enum TerminalChoice {
    /// Asks which one; nil where there is no terminal.
    static func ask(_ question: String, _ choices: [String], _ context: CommandContext) throws -> Int? {
        guard context.ask != nil, context.errorIsTerminal else { return nil }
        context.printError(question)
        for (index, choice) in choices.enumerated() { context.printError("  \(index + 1)  \(choice)") }
        while true {
            context.warn(Array("Which one? 1 to \(choices.count): ".utf8))
            guard let line = readLine() else {
                throw CommandFailure(.inputOutput, "nothing could be read from the terminal")
            }
            if let number = Int(line.trimmingCharacters(in: .whitespaces)), choices.indices.contains(number - 1) {
                return number - 1
            }
        }
    }
}
