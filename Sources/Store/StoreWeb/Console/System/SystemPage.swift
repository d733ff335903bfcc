import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// How an environment is, with what to do about what is wrong.
struct SystemPage {
    let visit: ConsoleVisit
    let system: StoreSystem

    func response() async throws -> HTTPResponse {
        let store = visit.store
        let health = await system.health(of: store.environment)
        let backlog = try await StoreBacklog(of: store)
        let endings = try await StoreOverview.endings(of: store)
        let keys = try system.keys.certificates(of: store.environment)
        let failed = await SystemTroubles.requests(in: visit.services.histories[visit.environment])
        let wrong = health.filter { $0.problem != nil }
        var page = ConsolePage(visit: visit, title: "System", place: .system)
        page.tag = wrong.isEmpty ? tag(.good, "in order") : tag(.bad, "\(wrong.count) of \(health.count) checks fail")
        page.lede = lede(health, backlog, failed.count)
        page.alternatives = [
            .init(command: "system", request: "/system"),
            .init(
                command: "keys rotate --environment \(visit.environment)", request: "POST /system/keys/rotation",
                body: "{}"),
        ]
        return try await page.response {
            div(.class("two")) {
                div(.class("stack")) {
                    section {
                        h2 { "Health" }
                        checks(health)
                    }
                    lately(failed, backlog)
                    section {
                        h2 { "Backlog" }
                        p(.class("muted")) { backlog.sentence }
                        work(backlog)
                    }
                    section {
                        h2 { "Signing keys" }
                        certificates(keys)
                        if visit.may(.teams, change: true) { rotation(keys) }
                    }
                }
                div(.class("stack")) { beside(endings) }
            }
        }
    }

    private func lately(_ failed: [RequestHistory.Entry], _ backlog: StoreBacklog) -> Element {
        section {
            h2 { "What went wrong lately" }
            p(.class("muted")) { "Requests that failed for a reason of the store." }
            RequestText(visit: visit).table(failed, empty: "No request failed since the store was started.")
            if !backlog.dead.isEmpty { dead(backlog) }
        }
    }

    @HTMLBuilder private func beside(_ endings: [StoreOverview.Ending]) -> [any HTML] {
        card("Process") { process }
        if !endings.isEmpty { card("Ends soon") { ends(endings) } }
        card("Self-test") {
            p { "Buys something, verifies what was signed, and gives the money back." }
            p { a(.class("button"), .href(visit.link("\(SystemSection.path)/self-test"))) { "To the self-test" } }
        }
        if visit.environment == .sandbox {
            card("Snapshots") {
                p { "Keep the sandbox as it is at a moment, and go back to it." }
                p { a(.class("button"), .href(visit.link(SnapshotPage.path))) { "To the snapshots" } }
            }
        }
        if visit.may(.teams, .production) {
            card("More") {
                ul {
                    li { a(.href(visit.link("\(SystemSection.path)/backups"))) { "Backups" } }
                    li { a(.href(visit.link("\(SystemSection.path)/settings"))) { "Settings" } }
                }
            }
        }
    }

    private func lede(_ health: [ReadinessCheck.Result], _ backlog: StoreBacklog, _ failed: Int) -> String {
        let wrong = health.filter { $0.problem != nil }.map(\.name)
        let first =
            wrong.isEmpty
            ? "All \(health.count) checks pass." : "Not in order: \(wrong.joined(separator: ", "))."
        let requests = failed == 0 ? "" : " \(failed) \(failed == 1 ? "request" : "requests") failed lately."
        return "\(first) \(backlog.sentence)\(requests)"
    }

    private func checks(_ results: [ReadinessCheck.Result]) -> [any HTML] {
        DataTable(
            title: "Health", columns: [.text("Check"), .text("Result")],
            rows: results.map { result in
                [
                    [result.name.capitalizedFirst],
                    result.problem.map { [tag(.bad, "fails"), " \($0)"] } ?? [tag(.good, "in order")],
                ]
            }, empty: [p { "There is nothing to check." }]
        ).element
    }

    private func work(_ backlog: StoreBacklog) -> [any HTML] {
        DataTable(
            title: "Work",
            columns: [
                .text("What"), .amount("Scheduled"), .amount("Due now"), .text("Oldest"), .amount("Failing"),
            ],
            rows: backlog.work.map { work in
                [
                    [work.title.capitalizedFirst], ["\(work.scheduled)"], ["\(work.due)"],
                    work.oldest.map { [ago($0, visit.now)] } ?? [""], ["\(work.failing)"],
                ]
            }, empty: [p { "Nothing is scheduled." }]
        ).element
    }

    private func dead(_ backlog: StoreBacklog) -> [any HTML] {
        DataTable(
            title: "Given up", columns: [.text("When"), .text("Work given up"), .optional("Of"), .text("Why")],
            rows: backlog.dead.map { dead in
                [
                    [minute(dead.at)], [dead.title.capitalizedFirst],
                    [span(.class("id")) { dead.subject }], [dead.error],
                ]
            }, empty: []
        ).element
    }

    private func certificates(_ keys: [KeyRotation.Certificate]) -> [any HTML] {
        DataTable(
            title: "Signing keys",
            columns: [.text("Signs"), .text("Certificate"), .text("Ends"), .optional("Fingerprint"), .text("")],
            rows: keys.map { key in
                [
                    [key.purpose == .jws ? "Signed data" : "Receipts"], ["\(key.role.rawValue) \(key.number)"],
                    [ago(key.endsAt, visit.now)], [span(.class("id")) { "\(key.fingerprint.prefix(16))…" }],
                    key.isNearEnd(at: visit.now) ? [tag(.warn, "ends soon")] : [""],
                ]
            }, empty: [p { "There are no keys." }]
        ).element
    }

    /// The form that replaces the leaves, and the commands that replace what stands above them.
    @HTMLBuilder private func rotation(_ keys: [KeyRotation.Certificate]) -> [any HTML] {
        asking(
            "Replace the certificates that sign",
            "Both leaves of \(visit.environment) are replaced by new ones under the same roots. What the old ones signed goes "
                + "on verifying, and nobody else has to do anything."
        ) {
            visit.form("\(SystemSection.path)/keys/rotation", .class("fields")) {
                div {
                    label(.for("purpose")) { "Which" }
                    select(.id("purpose"), .name("purpose")) {
                        option(.value("")) { "Both" }
                        option(.value(ChainPurpose.jws.rawValue)) { "Signed data" }
                        option(.value(ChainPurpose.receipt.rawValue)) { "Receipts" }
                    }
                }
                button(.class("primary")) { "Replace them" }
            }
        }
        p(.class("muted")) { "Intermediates and roots are replaced by a command:" }
        commandLine("till keys rotate --environment \(visit.environment) --from intermediate \(visit.services.options)")
    }

    private var process: Element {
        let server = system.server
        return StoreWeb.facts([
            ("Version", [server.version]), ("Runs since", [ago(server.startedAt, visit.now)]),
            ("Process", ["\(server.process)"]), ("Databases", [server.engine]),
            ("Data", [span(.class("id")) { server.dataDirectory }]),
        ])
    }

    private func ends(_ endings: [StoreOverview.Ending]) -> [any HTML] {
        endings.flatMap { ending -> [any HTML] in
            [
                p {
                    ending.name.capitalizedFirst
                    " "
                    ago(ending.endsAt, visit.now)
                }, commandLine(visit.command(ending.remedy)),
            ]
        }
    }
}
