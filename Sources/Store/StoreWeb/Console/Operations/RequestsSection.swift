import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// What was asked of the store lately and what it answered, and what a pasted text is.
struct RequestsSection: ConsoleSection {
    let services: ConsoleServices

    private static let id = PathParameter<String>("request", rule: "the id of a request") { $0.isEmpty ? nil : $0 }

    var routes: [Route] {
        [
            page("/requests", for: .customers, .here, list),
            page("/requests/{request}", for: .customers, .here, show),
            page("/inspect", for: .customers, .here) { visit in
                // The receipt of a transaction, by a link from its page.
                guard let id = visit.query["transaction"].flatMap({ TransactionID($0) }) else {
                    return try await inspect(visit, "")
                }
                let receipt = try await OperatorTransactions(visit.store).receipt(of: id, as: .app)
                return try await inspect(visit, Base64.encode(receipt))
            },
            inspection,
        ]
    }

    // MARK: Requests

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let history = visit.services.histories[visit.environment]
        let filter = ListFilter(visit, "/requests", choices: ["answer"])
        let (text, isRefused) = (filter.text, visit.query["answer"] == "refused")
        let after = visit.query["after"].flatMap { Int($0) }
        let order = TableOrder<RequestText.Column>(visit.query, standard: .when, isDescending: true)
        let bearers = try await RequestTrace.bearers(of: text, in: visit.store)
        let all = await history?.list(limit: RequestHistory.most) { entry in
            (!isRefused || entry.isRefused) && filter.period.contains(entry.at)
                && (text.isEmpty || entry.path.contains(text) || entry.id == text || entry.code == text
                    || entry.bearer.map { bearers.contains($0) } == true)
        }
        let entries = order.sorted(all ?? [], after: after.map { known in { $0.number == known } }) {
            order.column.areInOrder($0, $1)
        }
        var page = ConsolePage(visit: visit, title: "Requests", place: .requests)
        page.lede =
            "The newest \(RequestHistory.most) calls of devices, servers and tests, with what each was told. What a device asks "
            + "again and again while it waits is one row. Secrets are never shown."
        page.alternatives = [
            .init(
                command: "requests" + (isRefused ? " --refused" : ""),
                request: "/requests" + (isRefused ? "?refused=true" : ""))
        ]
        page.pulsePath = visit.link("/pulse", ("of", "requests"))
        page.pulse = after == nil ? "requests \(history?.count ?? 0)" : nil
        page.exported = "requests"
        page.exportedFrom = filter.link(order)
        if filter.problem != nil { page.status = .badRequest }
        let rows = filter.rows
        return try await page.response {
            filter.form(by: "Request, app, device, code or path", order: order.fields) {
                filter.choice("answer", "Answer", [("refused", "Refused")])
            }
            RequestText(visit: visit).table(
                Array(entries.prefix(rows)),
                empty: !filter.isNarrow ? "Nothing since the store was started." : "Nothing of this kind.",
                heading: { column in
                    order.heading(column, descendingFirst: column == .when) { filter.link($0) }
                },
                next: entries.count > rows
                    ? entries.prefix(rows).last.map { filter.link(order, ("after", "\($0.number)")) } : nil)
        }
    }

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let id = try visit.request[Self.id]
        let known = await visit.services.histories[visit.environment]?.entry(id)
        let trace = try await RequestTrace(of: id, bearer: known?.bearer, in: visit.store)
        guard let entry = known else {
            // It may have been too long ago, but what came of it is in the books.
            if let purchase = trace.purchase { return redirect(to: visit.link("/purchases/\(purchase)")) }
            throw APIError(
                .notFound, code: "request_unknown",
                "No request of this id is among the newest \(RequestHistory.most) since the store was started.")
        }
        var page = ConsolePage(visit: visit, title: RequestText.sentence(entry), place: .requests)
        page.tag = RequestText.tag(entry)
        page.crumbs = [("Requests", visit.link("/requests"))]
        page.lede = entry.message ?? (entry.isRefused ? "It was refused." : "It was answered.")
        page.alternatives = [.init(command: "requests \(entry.id)", request: "/requests?id=\(entry.id)")]
        return try await page.response {
            card("Facts") {
                StoreWeb.facts(facts(of: entry, trace, visit))
            }
            if let sent = entry.request { body("What was sent", sent) }
            if let answered = entry.response { body("What was answered", answered) }
            if let body = entry.verification {
                inspected(visit, String(decoding: body, as: UTF8.self), "The receipt that was sent")
            }
        }
    }

    private func facts(
        of entry: RequestHistory.Entry, _ trace: RequestTrace, _ visit: ConsoleVisit
    ) -> [(name: String, value: [any HTML])] {
        var facts: [(name: String, value: [any HTML])] = [
            ("Request", StoreWeb.name(entry.id)),
            (
                "When",
                [
                    "\(entry.at.rfc3339Milliseconds.prefix(10)) \(entry.at.rfc3339Milliseconds.dropFirst(11).dropLast()) UTC"
                ]
            ),
            ("What", [span(.class("id")) { "\(entry.method) \(entry.path)" }]),
            ("Answer", ["\(entry.status)" + (entry.code.map { ", \($0)" } ?? "")]), ("From", [entry.peer]),
        ]
        if entry.repeats > 1 {
            facts.append(
                (
                    "Asked",
                    ["\(entry.repeats) times until \(entry.lastAt.rfc3339), the last time as ", code { entry.lastId }]
                ))
        }
        if let device = trace.device {
            facts.append(("Device", [a(.href(visit.link("/devices/\(device.id)"))) { "\(device.id)" }]))
        }
        if let purchase = trace.purchase {
            facts.append(("Purchase", [a(.href(visit.link("/purchases/\(purchase)"))) { "\(purchase)" }]))
        }
        return facts
    }

    /// A body as it was kept: without its secrets.
    private func body(_ heading: String, _ bytes: [UInt8]) -> Element {
        card(heading) {
            pre(.isFocusable, .label(heading)) { ShownBody.indented(bytes) }
            p(.class("muted")) { "Secrets are hidden, and long texts cut." }
        }
    }

    // MARK: Inspect

    /// A form that changes nothing, and takes more than others.
    private var inspection: Route {
        .post("/console/{environment}/inspect", body: .collected(limit: 2 * Inspection.limit)) { request in
            guard let visit = try await visit(request) else { return toEntrance }
            try visit.require(.customers, change: false, .here)
            return try await inspect(visit, try FormInput(request)["text"])
        }
    }

    private func inspect(_ visit: ConsoleVisit, _ text: String) async throws -> HTTPResponse {
        let trimmed = text.trimmingPrefix(while: \.isWhitespace)
        if trimmed.utf8.count < 100, !trimmed.isEmpty, !trimmed.contains(".") {
            return redirect(to: visit.link("/search", ("q", String(trimmed))))
        }
        var page = ConsolePage(visit: visit, title: "Inspect", place: .inspect)
        page.lede =
            "Paste a receipt, a signed transaction, a profile, the body of a request to verifyReceipt, or any number: what is in "
            + "it, whether it is genuine, whose it is, and where it belongs."
        page.alternatives = [
            .init(command: "inspect FILE", request: "POST /inspection", body: #"{"text": "…"}"#)
        ]
        return try await page.response {
            visit.form("/inspect", .class("inspect")) {
                label(.for("text")) { "Receipt, signed text, profile or number" }
                textarea(.id("text"), .name("text"), .rows(6), .isUnspelled) { text.count > 20_000 ? "" : text }
                button(.class("primary")) { "Look at it" }
            }
            if !text.isEmpty { inspected(visit, text, "What it is") }
        }
    }

    private func inspected(_ visit: ConsoleVisit, _ text: String, _ heading: String) -> Element {
        let found = Inspection(
            of: text, askedIn: visit.environment, signers: visit.services.stores.mapValues(\.signers), at: visit.now)
        return card(heading) {
            p {
                found.isGenuine ? tag(.good, "genuine") : tag(.bad, "not genuine")
                " " + found.kind.title + (found.signedBy.map { ", signed by \($0)" } ?? "")
            }
            if let advice = found.advice { p(.class("problem calm")) { advice } }
            if !found.findings.isEmpty {
                ul {
                    for finding in found.findings { li { (finding.isError ? "Error: " : "Note: ") + finding.message } }
                }
            }
            if let bundle = found.bundle {
                p {
                    "Of the app "
                    a(.href(visit.link("/apps/\(bundle)"))) { "\(bundle)" }
                }
            }
            if !found.transactions.isEmpty {
                p {
                    "Transactions: "
                    for id in found.transactions {
                        a(.href(link(visit, to: id))) { "\(id)" }
                        " "
                    }
                }
            }
            pre(.isFocusable, .label("Contents")) { found.contents.joined(separator: "\n") }
        }
    }

    /// The page of a transaction, in the environment that its number tells.
    private func link(_ visit: ConsoleVisit, to id: TransactionID) -> Link {
        let environment = id.environment ?? visit.environment
        return Link(path: ConsoleVisit.path(environment, "/transactions/\(id)")) ?? Link("/console")
    }
}

extension Inspection.Kind {
    fileprivate var title: String {
        switch self {
        case .appReceipt: "receipt of an app"
        case .transactionReceipt: "receipt of one transaction, as of iOS 6"
        case .transaction: "signed transaction"
        case .profile: "provisioning profile"
        case .signed: "signed text"
        case .unknown: "text that no store makes"
        }
    }
}
