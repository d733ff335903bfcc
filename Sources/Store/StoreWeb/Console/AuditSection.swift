import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Every change of the catalogue: who, when, and what differs.
struct AuditSection: ConsoleSection {
    let services: ConsoleServices

    static let path = "/audit"
    private static let rows = 50
    /// What is told of one change before the fold.
    private static let shown = 4
    /// Pairs of words that are compared at most.
    private static let compared = 40_000

    var routes: [Route] {
        [
            page(Self.path, for: .members, .both, list),
            page(Self.path + ".csv", for: .members, .both) { visit in
                let found = try await visit.editing.changes(Filter(visit).filter(), limit: AuditFile.most)
                return Self.file(AuditFile.text(of: found), "text/csv", "audit.csv")
            },
            page(Self.path + ".json", for: .members, .both) { visit in
                let found = try await visit.editing.changes(Filter(visit).filter(), limit: AuditFile.most)
                return Self.file(try AuditFile.json(of: found), "application/json", "audit.json")
            },
        ]
    }

    private static func file(_ text: String, _ type: String, _ name: String) -> HTTPResponse {
        var response = HTTPResponse(.ok, Array(text.utf8), as: type)
        response.fields["Cache-Control"] = "private, no-store"
        response.fields["Content-Disposition"] = "attachment; filename=\"\(name)\""
        return response
    }

    /// What the address of the page says.
    private struct Filter {
        let from, until, actor, app, product, kind: String
        let query: [(String, String?)]

        init(_ visit: ConsoleVisit) {
            func value(_ name: String) -> String { String((visit.query[name] ?? "").prefix(AuditFilter.longestActor)) }
            (from, until, actor) = (value("from"), value("until"), value("actor"))
            (app, product, kind) = (value("app"), value("product"), value("kind"))
            query = [
                ("from", from), ("until", until), ("actor", actor), ("app", app), ("product", product), ("kind", kind),
            ].map { ($0, $1.isEmpty ? nil : $1) }
        }

        var isEmpty: Bool { query.allSatisfy { $0.1 == nil } }

        /// Throws for what cannot be meant.
        func filter() throws -> AuditFilter {
            var filter = AuditFilter(
                from: try Self.day(from, "from"), until: try Self.day(until, "until").map { $0 + .seconds(86_400) },
                actor: actor.isEmpty ? nil : actor)
            if !app.isEmpty {
                guard let bundle = BundleID(app) else {
                    throw CatalogueError(.valueInvalid, "it is the bundle id of an app", field: "app")
                }
                filter.app = bundle
            }
            if !product.isEmpty {
                guard let id = ProductID(product) else {
                    throw CatalogueError(.valueInvalid, "it is the id of a product", field: "product")
                }
                filter.product = id
            }
            if !kind.isEmpty {
                guard let found = AuditFilter.Kind(rawValue: kind) else {
                    throw CatalogueError(.valueInvalid, "there is no such kind of change", field: "kind")
                }
                filter.kind = found
            }
            return filter
        }

        private static func day(_ text: String, _ field: String) throws -> Instant? {
            guard !text.isEmpty else { return nil }
            guard let day = try? Instant(rfc3339: "\(text)T00:00:00Z") else {
                throw CatalogueError(.valueInvalid, "it is a day such as 2027-01-31", field: field)
            }
            return day
        }
    }

    // MARK: The page

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let asked = Filter(visit)
        var (visit, found) = (visit, [AuditedChange]())
        do {
            found = try await visit.editing.changes(
                asked.filter(), before: visit.query["after"].flatMap(Int64.init), limit: Self.rows + 1)
        } catch let error as CatalogueError {
            // The filter is left as it is, and says what is wrong with it.
            visit.problem = FormProblem.all(of: error)?.map(\.whole).joined(separator: " ")
        }
        let changes = found
        var page = ConsolePage(visit: visit, title: "Audit", place: .audit)
        page.lede = "Every change of the catalogue, the newest first: who made it, and how it was before."
        page.actions = ["csv", "json"].map { form in
            a(.class("button"), .href(visit.link("\(Self.path).\(form)", all: asked.query)), .isDownload) {
                "Export \(form.uppercased())"
            }
        }
        page.alternatives = [.init(command: "audit --count 50 --differences", request: "/audit?limit=50")]
        return try await page.response {
            filters(asked, visit)
            if changes.isEmpty {
                div(.class("card empty")) {
                    p { asked.isEmpty ? "Nothing was changed yet." : "Nothing of this kind was changed." }
                }
            }
            ForEachDay(changes: Array(changes.prefix(Self.rows))).element { line($0, visit) }
            if changes.count > Self.rows {
                p(.class("more-rows")) {
                    let last = changes[Self.rows - 1].entry.number
                    a(
                        .class("button"), .rel("next"),
                        .href(visit.link(Self.path, all: asked.query + [("after", "\(last)")]))
                    ) { "Earlier ones" }
                }
            }
        }
    }

    private func filters(_ asked: Filter, _ visit: ConsoleVisit) -> Element {
        StoreWeb.form(.class("filter six"), .action(visit.link(Self.path))) {
            entry("from", "From", asked.from, type: "date")
            entry("until", "Until, with this day", asked.until, type: "date")
            entry("actor", "By", asked.actor, hint: "Address, token, owner")
            entry("app", "App", asked.app, hint: "Bundle id")
            entry("product", "Product of the app", asked.product, hint: "Product id")
            div(.class("f")) {
                label(.for("kind")) { "Kind" }
                select(.id("kind"), .name("kind")) {
                    option(.value("")) { "all" }
                    for kind in AuditFilter.Kind.allCases.map(\.rawValue) {
                        option(.value(kind), kind == asked.kind ? .isSelected : nil) { kind }
                    }
                }
            }
            button(.class("short")) { "Show" }
        }
    }

    private func entry(
        _ name: String, _ text: String, _ value: String, type: String = "text", hint: String? = nil
    ) -> Element {
        div(.class("f")) {
            label(.for(name)) { text }
            input(
                .id(name), .name(name), .type(type), .value(value), hint.map { .placeholder($0) },
                .longest(AuditFilter.longestActor))
        }
    }

    private func line(_ change: AuditedChange, _ visit: ConsoleVisit) -> Element {
        let entry = change.entry
        return tr {
            td {
                time(.dateTime(entry.at.rfc3339), .title(entry.at.rfc3339Milliseconds)) {
                    String(entry.at.rfc3339.dropFirst(11).prefix(5))
                }
            }
            td {
                if let app = change.app {
                    let path = change.product.map { "/apps/\(app)/products/\($0)" } ?? "/apps/\(app)"
                    a(.href(visit.link(path))) { change.name }
                } else {
                    dotted(change.name)
                }
                small { ConsoleWords.prose(entry.action) }
            }
            td { change.actorWords.isEmpty ? "the store" : change.actorWords }
            td { differences(change.differences) }
        }
    }

    @HTMLBuilder private func differences(_ all: [ImportReport.Difference]) -> [any HTML] {
        for difference in all.prefix(Self.shown) { text(of: difference) }
        if all.count > Self.shown {
            details {
                summary { "\(all.count - Self.shown) more" }
                for difference in all.dropFirst(Self.shown) { text(of: difference) }
            }
        }
    }

    private func text(of difference: ImportReport.Difference) -> Element {
        div {
            span(.class("muted")) { "\(ConsoleWords.field(difference.field).capitalizedFirst): " }
            WordDifference(
                from: ConsoleWords.value(difference.before, of: difference.field),
                to: ConsoleWords.value(difference.after, of: difference.field), limit: Self.compared
            ).element
        }
    }
}

/// Changes under a heading for each day.
private struct ForEachDay {
    let changes: [AuditedChange]

    func element(_ line: (AuditedChange) -> Element) -> [any HTML] {
        let days = Dictionary(grouping: changes) { String($0.entry.at.rfc3339.prefix(10)) }
        return days.sorted { $0.key > $1.key }.map { day, changes in
            section(.class("list")) {
                table(.class("audit")) {
                    caption(.class("unseen")) { "Changes of \(day)" }
                    thead {
                        tr {
                            th(.scope("col")) { day }
                            th(.scope("col")) { "What" }
                            th(.scope("col")) { "By" }
                            th(.scope("col")) { "Before and after" }
                        }
                    }
                    tbody { for change in changes { line(change) } }
                }
            }
        }
    }
}
