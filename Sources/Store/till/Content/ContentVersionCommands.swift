import CommandOptions
import ContentPackage
import Foundation
import StoreModel
import StoreServer

/// `till content status`, `versions` and `withdraw`: what became of what was pushed.
enum ContentVersionCommands {
    static let all = [status, versions, withdraw]

    private static let numberFormat = ValueFormat<Int>.integer("NUMBER", in: 1...1_000_000)
    private static let optionalNumber = Argument<Int?>.optional(
        numberFormat, help: "The number that push and versions print; else the newest.")
    private static let number = Argument<Int>.required(numberFormat, help: "The number that push and versions print.")

    private static let status = Command<TillProgram.Action>(
        "status", "Say what became of an upload, and what comes next.",
        options: [StandardOptions.json] + ContentStore.options,
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product, optionalNumber],
        examples: [Example("The newest", "till content status com.example.book com.example.book.chapter1")],
        exitCodes: ContentStore.exitCodes + [.failure.when("The store refused it; the findings are printed.")],
        action: { arguments, context in
            let (bundle, product) = (arguments[CatalogueOptions.bundle], arguments[CatalogueOptions.product])
            let path = ContentStore.path(bundle, product)
            let answer = try await ContentStore.with(arguments, context) { store in
                var number = arguments[optionalNumber]
                if number == nil {
                    number = try await store.ask("GET", path, as: Page<ContentVersionAnswer>.self).items.first?.number
                }
                guard let number else {
                    throw CommandFailure(.inputMissing, "nothing was uploaded for \(product); push content first")
                }
                return try await store.ask("GET", "\(path)/\(number)", as: ContentVersionAnswer.self)
            }
            if arguments[StandardOptions.json] {
                try context.printJSON(answer)
            } else {
                for line in [line(answer)] + details(answer) + next(answer, bundle, product) { context.print(line) }
            }
            if answer.state == "failed" { throw CommandFailure(.failure, "the store refused upload \(answer.number)") }
        })

    private static let versions = Command<TillProgram.Action>(
        "versions", "List everything that was uploaded for a product, the newest last; with --json the newest first.",
        options: ListOptions.all + ContentStore.options,
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
        examples: [Example("All", "till content versions com.example.book com.example.book.chapter1")],
        exitCodes: ContentStore.exitCodes,
        action: { arguments, context in
            let path = ContentStore.path(arguments[CatalogueOptions.bundle], arguments[CatalogueOptions.product])
            let page = try await ContentStore.with(arguments, context) { store in
                try await store.ask("GET", path, as: Page<ContentVersionAnswer>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(page) }
            context.printList(
                page.items.reversed(), as: CatalogueTables.contentVersions, arguments,
                nothing: "Nothing was uploaded. To upload something: till content push FOLDER")
        })

    private static let withdraw = Command<TillProgram.Action>(
        "withdraw", "Take back a version that was not approved.",
        options: [StandardOptions.json] + ContentStore.options,
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product, number],
        examples: [Example("The second", "till content withdraw com.example.book com.example.book.chapter1 2")],
        exitCodes: ContentStore.exitCodes + [.failure.when("It was approved, or is being reviewed.")],
        action: { arguments, context in
            let path = ContentStore.path(arguments[CatalogueOptions.bundle], arguments[CatalogueOptions.product])
            let answer = try await ContentStore.with(arguments, context) { store in
                try await store.ask(
                    "POST", "\(path)/\(arguments[number])/withdrawal", as: ContentVersionAnswer.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(answer) }
            context.print(line(answer))
        })

    // MARK: Lines

    static func line(_ answer: ContentVersionAnswer) -> String {
        var words = ["\(answer.number)"]
        words.append(answer.contentVersion.map { "version \($0)" } ?? "version not read yet")
        words.append(PrintableText(answer.state.replacing("_", with: " "), limit: 40).description)
        words.append(ByteText(answer.packageBytes).description)
        words.append("uploaded \(answer.uploadedAt.rfc3339) by \(PrintableText(answer.uploadedBy, limit: 100))")
        let places = [
            answer.isDeliveredInSandbox ? "the sandbox" : nil, answer.isDeliveredInProduction ? "production" : nil,
        ]
        let delivered = places.compactMap { $0 }
        if !delivered.isEmpty { words.append("delivered in \(delivered.joined(separator: " and "))") }
        return words.joined(separator: ", ")
    }

    private static func details(_ answer: ContentVersionAnswer) -> [String] {
        var lines = ["  kind \(ContentReport.packageKind), SHA-256 \(PrintableText(answer.packageDigest, limit: 64))"]
        if let delivered = answer.deliveredBytes {
            let unpacked = ByteText(answer.unpackedBytes ?? 0)
            lines.append(
                "  customers load \(ByteText(delivered)), which become \(unpacked) in \(answer.fileCount ?? 0) files")
        }
        lines += (answer.files ?? []).map { "  \($0.bytes)  \(PrintableText($0.path, limit: 400))" }
        return lines + findings(answer)
    }

    static func findings(_ answer: ContentVersionAnswer) -> [String] {
        answer.findings.map { finding in
            "  \(PrintableText(finding.path ?? "the package", limit: 400)): \(PrintableText(finding.rule, limit: 60)): "
                + "\(PrintableText(finding.message, limit: 400))"
        }
    }

    /// What happens next, and who has to do it.
    static func next(_ answer: ContentVersionAnswer, _ bundle: BundleID, _ product: ProductID) -> [String] {
        let place = "\(bundle) \(product)"
        switch answer.state {
        case "processing":
            return ["next: the store looks at it; see: till content status \(place) \(answer.number)"]
        case "ready_to_submit":
            return [
                "next: the sandbox delivers it; for production submit the product: till review submit \(place) "
                    + "--category content --delivers 'what it is'",
                "  the first product of a kind goes with a version of the app, which --with names there; to enter one: "
                    + "till versions add \(bundle) 1.0",
            ]
        case "failed": return ["next: mend what was found, raise \(ContentInfo.versionKey) if you like, and push again"]
        case "rejected": return ["next: see why with till review show \(place), and push a newer version"]
        default: return []
        }
    }
}
