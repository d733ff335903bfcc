import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The backups of the store, and what is in one of them.
struct BackupPage {
    let visit: ConsoleVisit
    let shelf: BackupShelf

    private static let path = "\(SystemSection.path)/backups"

    func list() async throws -> HTTPResponse {
        let (entries, job, failure) = (await shelf.list(), await shelf.current, await shelf.lastFailure)
        var page = ConsolePage(visit: visit, title: "Backups", place: .system)
        page.crumbs = [("System", visit.link(SystemSection.path))]
        let whole = entries.filter { $0.problem == nil }
        page.lede =
            whole.isEmpty
            ? "There is no backup in \(shelf.folder)."
            : "\(whole.count) \(whole.count == 1 ? "backup" : "backups"), the newest of \(whole[0].madeAt)."
        page.alternatives = [
            .init(command: "backups make", request: "POST /system/backups", body: "{}"),
            .init(command: "backups list", request: "/system/backups"),
        ]
        return try await page.response {
            if let job { progress(job) }
            if let failure, job == nil {
                p(.class("problem")) { "The backup \(failure.name) was not made: \(failure.reason)" }
            }
            if visit.may(.teams, change: true, .production), job == nil { making }
            table(entries)
            p(.class("muted")) {
                "They lie in "
                code { parted(shelf.folder, after: "/") }
                ". Copy them to another disk; nothing is ever removed there. A backup with the private keys is to be kept as safe as "
                "the store; without them nothing that is signed anew verifies after a restore."
            }
        }
    }

    private var making: Element {
        div(.class("buttons")) {
            visit.form(Self.path) {
                hidden("keys", "on")
                button(.class("primary")) { "Make a backup now" }
            }
            visit.form(Self.path) {
                hidden("keys", "off")
                button { "Make one without the private keys" }
            }
        }
    }

    private func progress(_ job: BackupShelf.Job) -> Element {
        let what = job.kind == .making ? "is being made" : "is being looked at"
        return section(.class("card"), .role("status")) {
            div(.class("in")) {
                p {
                    "The backup \(job.name) \(what): \(job.step), \(job.percent) %. Load this page again to see how far it is."
                }
                StoreWeb.progress(.most(100), .value("\(job.percent)"), .label("How far it is")) {
                    "\(job.percent) %"
                }
            }
        }
    }

    private func table(_ entries: [BackupShelf.Entry]) -> [any HTML] {
        DataTable(
            title: "Backups",
            columns: [.text("Backup"), .text("Made"), .amount("Size"), .optional("Keys"), .text("Looked into")],
            rows: entries.map { entry in
                let link = visit.link("\(Self.path)/\(PercentEncoding.encode(entry.name))")
                if let problem = entry.problem {
                    return [
                        [a(.href(link)) { entry.name }], [entry.madeAt], [""], [""],
                        [tag(.bad, "none"), " \(problem)"],
                    ]
                }
                return [
                    [a(.href(link)) { entry.name }], [entry.madeAt], [Self.size(entry.bytes)],
                    [entry.hasKeys ? "yes" : "no"], standing(entry),
                ]
            }, empty: [p { "None yet." }]
        ).element
    }

    private func standing(_ entry: BackupShelf.Entry) -> [any HTML] {
        guard let look = entry.look else { return ["not since the store was started"] }
        return [
            look.problems.isEmpty ? tag(.good, "in order") : tag(.bad, "damaged"), " ", ago(look.at, visit.now),
        ]
    }

    /// Bytes as people read them.
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000_000: "\((bytes + 999) / 1000) kB"
        case ..<1_000_000_000: "\((bytes + 999_999) / 1_000_000) MB"
        default: "\((bytes + 99_999_999) / 100_000_000 / 10).\((bytes + 99_999_999) / 100_000_000 % 10) GB"
        }
    }

    // MARK: One

    func show(_ name: String) async throws -> HTTPResponse {
        let (entry, job) = (try await shelf.entry(name), await shelf.current)
        let place = PercentEncoding.encode(name)
        var page = ConsolePage(visit: visit, title: "Backup \(name)", place: .system)
        page.crumbs = [("System", visit.link(SystemSection.path)), ("Backups", visit.link(Self.path))]
        page.lede = entry.problem ?? lede(entry)
        page.alternatives = [
            .init(command: "backups verify \(name)", request: "POST /system/backups/\(place)/verification"),
            .init(command: "backups show \(name)", request: "/system/backups/\(place)"),
        ]
        return try await page.response {
            if let job { progress(job) }
            if entry.problem == nil, job == nil, visit.may(.teams, change: true, .production) {
                visit.form("\(Self.path)/\(place)/verification") {
                    button(.class("primary")) { "Look into all \(entry.files) files" }
                }
            }
            card("Facts") { facts(entry) }
            if let look = entry.look { found(look) }
        }
    }

    private func lede(_ entry: BackupShelf.Entry) -> String {
        guard let look = entry.look else {
            return "Nobody has looked into it since the store was started."
        }
        return look.problems.isEmpty
            ? "All \(look.files) files are as they were made, and the databases open."
            : "It is damaged: \(look.problems[0])"
    }

    private func facts(_ entry: BackupShelf.Entry) -> Element {
        StoreWeb.facts([
            ("Folder", [span(.class("id")) { parted("\(shelf.folder)/\(entry.name)", after: "/") }]),
            ("Made", [entry.madeAt.isEmpty ? "unknown" : entry.madeAt]),
            ("By", [entry.version.isEmpty ? "unknown" : "Till \(entry.version), \(entry.engine)"]),
            ("Size", ["\(Self.size(entry.bytes)) in \(entry.files) files"]),
            ("Private keys", [entry.hasKeys ? "are in it" : "are not in it"]),
            ("Put it back", [code { "till database restore \(shelf.folder)/\(entry.name) --replace" }]),
        ])
    }

    @HTMLBuilder private func found(_ look: BackupShelf.Look) -> [any HTML] {
        section {
            h2 { "What is in it" }
            if !look.problems.isEmpty {
                ul {
                    for problem in look.problems { li { problem } }
                }
            }
            DataTable(
                title: "What is in it", columns: [.text("Database"), .text("Schema"), .text("Contents")],
                rows: look.copies.map { copy in
                    [
                        [copy.name], ["\(copy.migrations) of \(copy.knownMigrations) migrations"],
                        [
                            copy.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(
                                separator: ", ")
                        ],
                    ]
                },
                empty: [
                    p {
                        look.problems.isEmpty
                            ? "The databases are a dump; its bytes are as they were made." : "Nothing could be opened."
                    }
                ]
            ).element
        }
    }
}
