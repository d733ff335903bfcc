import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The pages of a file that is brought in: what it is asked for, and what it would change.
struct ImportPage {
    let visit: ConsoleVisit
    var app: CatalogueApp?

    /// How many differences a page shows.
    private static let shown = 200

    func asking() async throws -> HTTPResponse {
        var page = ConsolePage(
            visit: visit, title: app.map { "A file for \($0.name)" } ?? "A catalogue file", place: .apps)
        page.crumbs = [("Apps", visit.link("/apps"))]
        if let app { page.crumbs.append((app.name, visit.link("/apps/\(app.bundleID)"))) }
        page.lede = "A .storekit file of Xcode’s, or a catalogue file of a store. What it would change is shown first."
        let id = app?.bundleID.text ?? "com.example.app"
        page.alternatives = [
            .init(command: "catalogue diff Example.storekit --bundle-id \(id)"),
            .init(command: "catalogue import Example.storekit --bundle-id \(id)"),
        ]
        let form = visit.form("/import", .sendsFiles, .isUpload, .class("upload")) {
            if let app {
                hidden("bundleId", app.bundleID.text)
            } else {
                div(.class("form")) {
                    FormField(
                        name: "bundleId", label: "Bundle id",
                        hint: "Of a .storekit file alone, which does not name its app; it is made if there is none."
                    ).element
                    FormField(name: "name", label: "Name", hint: "Of an app that is made.").element
                }
            }
            label(.for("file")) { "The file" }
            input(.id("file"), .name("file"), .type("file"), .accepts(".storekit,.json,application/json"), .isRequired)
            p { button(.class("primary")) { "Show what it would change" } }
        }
        return try await page.response { card("The file") { form } }
    }

    func answer(_ preview: ImportPreview, _ bundle: BundleID?, _ name: String?) async throws -> HTTPResponse {
        let reports = preview.reports
        var page = ConsolePage(visit: visit, title: "What the file would change", place: .apps)
        page.crumbs = [("Apps", visit.link("/apps")), ("A catalogue file", visit.link("/import"))]
        page.lede = Self.sentence(reports)
        page.alternatives = [
            .init(command: "catalogue import FILE" + (bundle.map { " --bundle-id \($0)" } ?? ""))
        ]
        return try await page.response {
            for team in reports.teams {
                p {
                    "Team \(team.teamId): "
                        + (team.formerName.map { "\($0) becomes \(team.name)" } ?? "new, \(team.name)")
                }
            }
            for report in reports.apps { part(report) }
            if let items = reports.items, !items.changedNothing {
                p { "Items of the storefront: \(items.added.count) new, \(items.changed.count) changed." }
            }
            if !reports.changedNothing {
                visit.form("/import/\(preview.file)") {
                    hidden("fingerprint", preview.fingerprint)
                    hidden("bundleId", bundle?.text ?? "")
                    hidden("name", name ?? "")
                    formBar(Self.sentence(reports)) {
                        button(.class("primary")) { "Apply it" }
                        a(.class("button"), .href(visit.link("/apps"))) { "Leave all as it is" }
                    }
                }
            }
        }
    }

    private static func sentence(_ reports: ImportReports) -> String {
        guard !reports.changedNothing else { return "Everything is as the file has it: there is nothing to apply." }
        let apps = reports.apps.count { $0.isNewApp }
        let (added, changed) = (
            reports.apps.reduce(0) { $0 + $1.added.count }, reports.apps.reduce(0) { $0 + $1.changed.count }
        )
        let words = [(apps, "app", "made"), (added, "product", "entered"), (changed, "product", "changed")]
            .filter { $0.0 > 0 }.map { count, noun, verb in "\(count) \(noun)\(count == 1 ? "" : "s") \(verb)" }
        return words.isEmpty ? "It changes what apps have beside their products." : words.joined(separator: ", ") + "."
    }

    @HTMLBuilder private func part(_ report: ImportReport) -> [any HTML] {
        h2 { "\(report.bundleId)\(report.isNewApp ? ", a new app" : "")" }
        if !report.added.isEmpty {
            p { "New: " + report.added.prefix(Self.shown).map(\.text).joined(separator: ", ") }
        }
        if !report.differences.isEmpty { differences(report.differences) }
        if !report.kept.isEmpty {
            p(.class("muted")) {
                "Not in the file, and kept: " + report.kept.prefix(Self.shown).map(\.text).joined(separator: ", ")
            }
        }
        for finding in report.omitted + report.noise {
            p(.class("muted")) { "Without effect here: \(finding.what), \(finding.count)" }
        }
    }

    @HTMLBuilder private func differences(_ all: [ImportReport.Difference]) -> [any HTML] {
        div(.class("list")) {
            table(.class("diff")) {
                thead {
                    tr {
                        th(.scope("col")) { "What" }
                        th(.scope("col")) { "Now" }
                        th(.scope("col")) { "By the file" }
                    }
                }
                tbody {
                    for difference in all.prefix(Self.shown) {
                        tr {
                            td {
                                if let product = difference.productId { p(.class("id")) { dotted(product.text) } }
                                difference.field
                            }
                            td { difference.before.map { text in [del { text }] as [any HTML] } ?? ["none"] }
                            td { difference.after.map { text in [ins { text }] as [any HTML] } ?? ["none"] }
                        }
                    }
                }
            }
        }
        if all.count > Self.shown { p(.class("muted")) { "and \(all.count - Self.shown) further differences" } }
    }
}
