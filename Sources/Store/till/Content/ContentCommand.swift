import CommandOptions
import ContentPackage
import Foundation
import StoreFoundation
import StoreModel

/// `till content`
enum ContentCommand {
    static let command = Command<TillProgram.Action>(
        "content", "Make packages of hosted content, and bring them to a store.",
        discussion: """
            Content is put together in a folder with ContentInfo.plist and Contents, packed into a .pkg file, and pushed to \
            the store, which looks at it, has it reviewed with its product, and delivers it to customers.
            """,
        examples: [
            Example("Begin", "till content new chapter1 --product com.example.book.chapter1"),
            Example("Fill", "till content add chapter1 text.html images"),
            Example("Bring it to the store", "till content push chapter1"),
        ],
        seeAlso: ["till products hosting", "till review"],
        subcommands: [new, add, validate, pack, inspect, PushCommand.command] + ContentVersionCommands.all)

    static let brokenRule = ExitCode.badData.when("The content breaks a rule; every finding is printed.")
    static let disk = ExitCode.inputOutput.when("There is no room left, or the disk failed.")
    private static let noFolder = ExitCode.inputMissing.when("There is no such folder or file.")

    private static let folder = Argument<String>.required(
        .directory("FOLDER"), help: "The folder of the content.")
    static let source = Argument<String>.required(
        .file("FOLDER|PKG"), help: "A folder with ContentInfo.plist and Contents, or a package made of one.")
    static let product = Option<ProductID?>.optional(
        "product", CatalogueOptions.productFormat, help: "The product that it has to be for.")
    static let workingFolder = Option<String?>.optional(
        "working-folder", .directory(),
        help: "Where files are collected while they are packed; else the folder of the package.")

    // MARK: Folders

    private static let newProduct = Option<ProductID>.required(
        "product", CatalogueOptions.productFormat, help: "The product whose content it is.")
    static let versionFormat = ValueFormat<ContentVersion>(
        "VERSION", rule: "numbers joined by periods, such as 1.0"
    ) { ContentVersion($0) }
    private static let version = Option<ContentVersion>.defaulted(
        "content-version", versionFormat, to: .first, help: "The version of the content; each has to be above the last."
    )

    private static let new = Command<TillProgram.Action>(
        "new", "Make a folder in which content is put together.",
        discussion: "Write a higher ContentVersion into its ContentInfo.plist to make a newer version of it later.",
        options: [newProduct, version, StandardOptions.json], arguments: [folder],
        examples: [Example("One", "till content new chapter1 --product com.example.book.chapter1")],
        exitCodes: [.cannotCreate.when("The folder is not empty."), disk],
        action: { arguments, context in
            let made = try ContentProject.make(
                at: arguments[folder], for: arguments[newProduct], version: arguments[version])
            if arguments[StandardOptions.json] {
                return try context.printJSON([
                    "contentVersion": arguments[version].text, "folder": made.folder,
                    "productId": arguments[newProduct].text,
                ])
            }
            context.print("made \(made.folder) for \(arguments[newProduct]), version \(arguments[version])")
            context.print("put what is delivered into \(made.contentsPath), or: till content add \(made.folder) FILE")
        })

    private static let files = Argument<[String]>.rest(
        .file(), atLeastOne: true, help: "Files, and folders with everything in them.")
    private static let subfolder = Option<String>.defaulted(
        "to", ValueFormat("SUBFOLDER", rule: "a folder in Contents, such as images/large", explainsRule: false) { $0 },
        to: "", help: "Where in Contents they go.")

    private static let add = Command<TillProgram.Action>(
        "add", "Copy files into the content.",
        discussion: "A file of the same name is replaced. Executable bits are not copied: content has no programs.",
        options: [subfolder, StandardOptions.json], arguments: [folder, files],
        examples: [
            Example("Files", "till content add chapter1 text.html cover.png"),
            Example("Into a folder", "till content add chapter1 *.png --to images"),
        ],
        exitCodes: [noFolder, brokenRule, disk],
        action: { arguments, context in
            let (project, words) = (try ContentProject(opening: arguments[folder]), arguments[files])
            let target = arguments[subfolder]
            let added = try await OwnThread.run(named: "content") { () throws -> [String] in
                try words.flatMap { try project.add($0, to: target) }
            }
            if arguments[StandardOptions.json] { return try context.printJSON(["added": added]) }
            for path in added { context.print("added \(PrintableText(path, limit: 400))") }
        })

    // MARK: Checks and packages

    private static let validate = Command<TillProgram.Action>(
        "validate", "Hold content against every rule, and print all findings.",
        discussion: "The store applies the same rules to what is pushed. A finding is: file: rule: what is wrong.",
        options: [product, StandardOptions.json], arguments: [source],
        examples: [
            Example("A folder", "till content validate chapter1"),
            Example("A package", "till content validate chapter1.pkg --product com.example.book.chapter1"),
        ],
        exitCodes: [brokenRule, noFolder, disk],
        action: { arguments, context in
            let validation = try await look(arguments[source], for: arguments[product], context)
            if arguments[StandardOptions.json] {
                try context.printJSON(ContentReport(validation))
            } else {
                for finding in validation.findings { context.print(line(finding)) }
                if validation.isValid {
                    let files = validation.entries.filter(\.isFile).count
                    context.print("nothing found: \(files) files, \(ByteText(validation.unpackedBytes))")
                }
            }
            try requireValid(validation)
        })

    private static let output = Option<String?>.optional(
        "output", short: "o", .file(),
        help: "The package, whose name ends in .pkg; else the name of the folder with .pkg behind it.")

    private static let pack = Command<TillProgram.Action>(
        "pack", "Make a package of a folder.",
        discussion: "The same files give the same bytes, wherever and whenever they are packed.",
        options: [output, product, workingFolder, StandardOptions.json], arguments: [folder],
        examples: [
            Example("Beside the folder", "till content pack chapter1"),
            Example("Elsewhere", "till content pack chapter1 --output /tmp/chapter1.pkg"),
        ],
        exitCodes: [brokenRule, noFolder, disk],
        action: { arguments, context in
            let path = arguments[output] ?? packagePath(of: arguments[folder])
            if let finding = ContentFinding(ofPackageCalled: path) {
                throw CommandFailure(.usage, "--output: \(finding.message)")
            }
            let report = try await make(
                path, of: arguments[folder], for: arguments[product], in: arguments[workingFolder], context)
            if arguments[StandardOptions.json] { return try context.printJSON(report) }
            context.print("packed \(arguments[folder]) into \(path), \(ByteText(report.packageBytes ?? 0))")
        })

    private static let package = Argument<String>.required(.file("PKG"), help: "The package.")

    private static let inspect = Command<TillProgram.Action>(
        "inspect", "Show what a package is, and what is in it.",
        options: [StandardOptions.json], arguments: [package],
        examples: [Example("One", "till content inspect chapter1.pkg")],
        exitCodes: [
            .badData.when("It is no package, or breaks a rule; the findings are printed."), noFolder, disk,
        ],
        action: { arguments, context in
            let path = arguments[package]
            let validation = try await look(path, for: nil, context)
            guard validation.packageBytes != nil else { return try fail(validation, path, context) }
            let file = try await PackageFile.open(path)
            let report = ContentReport(validation, digest: file.digest, withFiles: true)
            if arguments[StandardOptions.json] {
                try context.printJSON(report)
            } else {
                for line in report.lines { context.print(line) }
            }
            try requireValid(validation)
        })

    private static func fail(_ validation: ContentValidation, _ path: String, _ context: CommandContext) throws {
        for finding in validation.findings { context.print(line(finding)) }
        throw CommandFailure(.badData, "\(path) is a folder, or no package that can be read")
    }
}

extension ContentCommand {
    static func line(_ finding: ContentFinding) -> String {
        let path = finding.path.map { "\(PrintableText($0, limit: 400))" } ?? "the package"
        return "\(path): \(finding.rule.rawValue): \(PrintableText(finding.message, limit: 400))"
    }

    /// Looks at a folder or a package, on a thread that may wait.
    static func look(
        _ path: String, for product: ProductID?, _ context: CommandContext
    ) async throws -> ContentValidation {
        let bar = TransferBar("validating", context)
        return try await OwnThread.run(named: "content") { () throws -> ContentValidation in
            defer { bar.end() }
            return try ContentValidation.of(
                path, expecting: ContentExpectation(product: product),
                work: ContentWork(progress: { bar.show($0, of: $1) }))
        }
    }

    /// Packs a folder, and prints every finding if it breaks rules.
    static func make(
        _ path: String, of folder: String, for product: ProductID?, in workingFolder: String?, _ context: CommandContext
    ) async throws -> ContentReport {
        let bar = TransferBar("packing", context)
        do {
            let validation = try await OwnThread.run(named: "content") { () throws -> ContentValidation in
                defer { bar.end() }
                return try PackageWriter(
                    workingFolder: workingFolder, work: ContentWork(progress: { bar.show($0, of: $1) })
                ).write(folder, to: path, expecting: ContentExpectation(product: product))
            }
            let file = try await PackageFile.open(path)
            return ContentReport(validation, digest: file.digest, packageBytes: file.bytes)
        } catch let error as ContentError where error.code == .refused {
            for finding in error.findings { context.print(line(finding)) }
            throw CommandFailure(.badData, "\(count(error.findings)); nothing was packed")
        }
    }

    /// Where the package of a folder goes when nothing else is said.
    static func packagePath(of folder: String) -> String {
        let path = (folder as NSString).standardizingPath
        let name = (path as NSString).lastPathComponent
        return name == "." || name == ".." || path == "/" ? "content.pkg" : path + ".pkg"
    }

    static func requireValid(_ validation: ContentValidation) throws {
        if !validation.findings.isEmpty { throw CommandFailure(.badData, count(validation.findings)) }
    }

    static func count(_ findings: [ContentFinding]) -> String {
        findings.count == 1 ? "1 finding" : "\(findings.count) findings"
    }
}
