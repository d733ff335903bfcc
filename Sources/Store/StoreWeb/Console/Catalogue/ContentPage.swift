import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The versions of the hosted content of a product: what is delivered, what came of each upload, and a form for the next.
struct ContentPage {
    static let mostPromises = 50

    let visit: ConsoleVisit
    let app: CatalogueApp
    let product: CatalogueProduct
    /// The newest upload first.
    let versions: [HostedContent]
    /// What devices of this environment were told of; nil where the visitor may not know.
    let promises: [ContentPromise]?

    private var path: String { "/apps/\(app.bundleID)/products/\(product.productID)" }

    private func delivered(in environment: StoreEnvironment) -> HostedContent? {
        versions.filter { $0.isKept(in: environment) }.max(by: HostedContent.isBelow)
    }

    func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Hosted content", place: .apps)
        page.crumbs = [
            ("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)")),
            (product.productID.text, visit.link(path)),
        ]
        page.lede = lede
        let name = "\(app.bundleID) \(product.productID)"
        page.alternatives = [
            .init(command: "content versions \(name)", request: path + "/content"),
            .init(command: "content push FILE.pkg --app \(app.bundleID) --product \(product.productID)"),
        ]
        return try await page.response {
            div(.class("two")) {
                div(.class("stack")) {
                    table.element
                    if let promises, !promises.isEmpty { downloads(promises) }
                }
                div(.class("stack")) {
                    card("Upload a package") { upload }
                    card("Switch") { hosting }
                }
            }
        }
    }

    private var lede: String {
        let texts = [StoreEnvironment.sandbox, .production].map { environment in
            delivered(in: environment)?.version.map { "\(environment.title.lowercased()) \($0)" }
                ?? "\(environment.title.lowercased()) nothing"
        }
        let waits = product.hostsContent ? "" : " The store hosts no content of this product at the moment."
        return "Customers who ask now get: in \(texts.joined(separator: ", in ")).\(waits)"
    }

    private var table: DataTable {
        DataTable(
            title: "Versions",
            columns: [
                .text("Version"), .text("State"), .amount("Size"), .optional("Uploaded"), .optional("Delivered"),
            ],
            rows: versions.map { content in
                [
                    [
                        a(.href(visit.link("\(path)/content/\(content.number)"))) {
                            content.version?.text ?? "upload \(content.number)"
                        }
                    ],
                    [content.stateTag], [ContentPage.size(content.archive?.bytes ?? content.packageBytes)],
                    [ago(content.uploadedAt ?? content.begunAt, visit.now), " by \(content.uploadedBy)"],
                    [
                        [StoreEnvironment.sandbox, .production].filter {
                            delivered(in: $0)?.number == content.number
                        }.map { $0.title.lowercased() }.joined(separator: ", ")
                    ],
                ]
            },
            empty: [
                p {
                    "Nothing was uploaded yet. Begin a package with the first of these, put files into it, and send it:"
                },
                commandLine("till content new FOLDER --product \(product.productID)"),
                commandLine(visit.command("content push FOLDER")),
            ])
    }

    private func downloads(_ promises: [ContentPromise]) -> Element {
        section {
            h2 { "Who was told of it" }
            DataTable(
                title: "Who was told of it",
                columns: [.text("Transaction"), .text("Version"), .optional("Told"), .text("Last asked for")],
                rows: promises.map { promise in
                    [
                        [
                            a(.href(visit.link("/transactions/\(promise.transaction)")), .class("id")) {
                                promise.transaction.description
                            }
                        ],
                        [versions.first { $0.number == promise.number }?.version?.text ?? "\(promise.number)"],
                        [ago(promise.promisedAt, visit.now)], [ago(promise.askedAt, visit.now)],
                    ]
                }, empty: []
            ).element
        }
    }

    @HTMLBuilder private var upload: [any HTML] {
        if !visit.may(.catalogue, change: true, .both) {
            p { "Your role does not include this." }
        } else if product.hostsContent {
            visit.upload(
                path + "/content", "A package (.pkg) that till content pack made, at most 2 GB", button: "Upload it",
                accepting: ".pkg")
            p(.class("muted")) { "The store looks at it, and says here what it found." }
        } else {
            p { "Switch hosting on first." }
        }
    }

    @HTMLBuilder private var hosting: [any HTML] {
        if product.review.isLive {
            p {
                product.hostsContent
                    ? "The product is or was on sale, so its content stays with the store."
                    : "The product is or was on sale without content, and stays so."
            }
        } else {
            HostingSwitch(visit: visit, product: product, path: path).element
        }
    }

    static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\(bytes / 1000) kB"
        case ..<1_000_000_000: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
        default: "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
        }
    }
}

/// The switch of hosting, for a product that was never on sale.
struct HostingSwitch {
    let visit: ConsoleVisit
    let product: CatalogueProduct
    let path: String

    @HTMLBuilder var element: [any HTML] {
        if product.hostsContent {
            p { "The store hosts the content. It can be switched off until the product goes live, and never after." }
        } else {
            p { "The store hosts nothing for it. With hosting on, the product waits until content was uploaded." }
        }
        if visit.may(.catalogue, change: true, .both) {
            if product.hostsContent {
                asking(
                    "Switch hosting off…",
                    "Everything that was uploaded goes; what comes once it is on again may begin with 1.0."
                ) {
                    button(.off, "Switch off")
                }
            } else {
                button(.on, "Switch hosting on")
            }
        }
    }

    private func button(_ act: HostingAct, _ text: String) -> Element {
        visit.form("\(path)/hosting/\(act.rawValue)") {
            StoreWeb.button { text }
        }
    }
}

/// One version of hosted content, as its reviewer sees it: what it holds, and what is wrong with it.
struct ContentVersionPage {
    /// The files that are listed at once.
    private static let mostFiles = 500

    let visit: ConsoleVisit
    let app: CatalogueApp
    let product: CatalogueProduct
    let content: HostedContent
    let files: [HostedContent.File]

    private var path: String { "/apps/\(app.bundleID)/products/\(product.productID)" }

    func response() async throws -> HTTPResponse {
        let version = content.version?.text
        var page = ConsolePage(
            visit: visit, title: version.map { "Content \($0)" } ?? "Upload \(content.number)", place: .apps)
        page.crumbs = [
            ("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)")),
            (product.productID.text, visit.link(path)), ("Hosted content", visit.link(path + "/content")),
        ]
        page.tag = content.stateTag
        page.lede = content.explanation
        page.alternatives = [
            .init(
                command: "content status \(app.bundleID) \(product.productID) \(content.number)",
                request: "\(path)/content/\(content.number)")
        ]
        return try await page.response {
            div(.class("two")) {
                div(.class("stack")) {
                    if !content.findings.isEmpty { card("What is wrong with it") { findings } }
                    if !files.isEmpty { card("Table of contents") { list } }
                }
                div(.class("stack")) {
                    card("Facts") { factList }
                    if mayWithdraw {
                        card("Take it back") {
                            asking("Withdraw…", "Nobody gets it any more, and its number is not used again.") {
                                visit.form("\(path)/content/\(content.number)/withdrawal") {
                                    button { "Withdraw it" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private var mayWithdraw: Bool {
        visit.may(.catalogue, change: true, .both)
            && [ContentState.uploading, .processing, .failed, .readyToSubmit, .rejected].contains(content.state)
    }

    private var findings: Element {
        ul {
            for finding in content.findings {
                li {
                    b { finding.path ?? "The package" }
                    ": \(finding.message) "
                    span(.class("faint")) { "(\(finding.rule))" }
                }
            }
        }
    }

    @HTMLBuilder private var list: [any HTML] {
        StoreWeb.table {
            caption(.class("unseen")) { "Table of contents" }
            thead {
                tr {
                    th(.scope("col")) { "File" }
                    th(.scope("col"), .class("num")) { "Size" }
                }
            }
            tbody {
                for file in files.prefix(Self.mostFiles) {
                    tr {
                        td(.class("id")) { file.path }
                        td(.class("num")) { ContentPage.size(file.bytes) }
                    }
                }
            }
        }
        if files.count > Self.mostFiles {
            p(.class("muted")) { "And \(files.count - Self.mostFiles) more; till content status lists all of them." }
        }
    }

    private var factList: Element {
        var entries: [(name: String, value: [any HTML])] = [
            ("Number", ["\(content.number)"]), ("Package", [ContentPage.size(content.packageBytes)]),
            ("SHA-256", StoreWeb.name(content.packageDigest)),
            ("Uploaded", [ago(content.uploadedAt ?? content.begunAt, visit.now), " by \(content.uploadedBy)"]),
        ]
        if let archive = content.archive {
            entries.append(("Customers load", [ContentPage.size(archive.bytes)]))
            entries.append(
                ("Which becomes", ["\(ContentPage.size(archive.unpackedBytes)) in \(archive.fileCount) files"]))
        }
        if let at = content.processedAt { entries.append(("Processed", [ago(at, visit.now)])) }
        if let at = content.approvedAt { entries.append(("Approved", [ago(at, visit.now)])) }
        return facts(entries)
    }
}

extension HostedContent {
    /// How it stands, in a word.
    fileprivate var stateTag: Element {
        let mood: Mood =
            switch state {
            case .approved: .good
            case .failed, .rejected: .bad
            case .uploading, .processing: .warn
            default: .calm
            }
        return tag(mood, state.rawValue.replacing("_", with: " "))
    }

    /// What that means.
    fileprivate var explanation: String {
        switch state {
        case .uploading: "Parts of the package are missing; the same upload goes on where it stopped."
        case .processing: "The store is looking at the package."
        case .failed: "The package breaks a rule and is not delivered. Mend it and upload it again."
        case .readyToSubmit: "The sandbox delivers it. Production does once the product is approved with it."
        case .approved: "It was approved with its product."
        case .rejected: "It was rejected with its product. The sandbox goes on delivering it."
        case .withdrawn: "It was taken back."
        case .unhosted: "Hosting was switched off. A package of the same version may come once it is on again."
        default: "A newer version took its place, and nobody can ask for it any more."
        }
    }
}
