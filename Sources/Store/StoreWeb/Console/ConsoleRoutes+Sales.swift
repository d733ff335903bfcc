import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Transactions and purchases: the list that follows what happens, and the page of one with its whole life.
extension ConsoleRoutes {
    /// Rows of a list.
    static let rows = 50
    /// How long a page waits for something to happen.
    private static let wait = 25

    private static let purchase = PathParameter<String>("purchase", rule: "a number, a code or the id of a request") {
        $0.isEmpty ? nil : $0
    }
    private static let transaction = PathParameter<TransactionID>("transactionId", rule: "the number of a transaction")
    {
        TransactionID($0)
    }

    var saleRoutes: [Route] {
        [
            page("/pulse", for: .customers) { try await Self.pulse($0) },
            page("/transactions", for: .customers) { try await Self.list($0) },
            page("/transactions/{transactionId}", for: .customers) { try await SalePage.transaction($0, Self.id($0)) },
            page("/transactions/{transactionId}/{act}", for: .customers) { try await Self.ask($0) },
            form("/transactions/{transactionId}/{act}", for: .customers) {
                try await Self.act($0, $1)
            } else: {
                try await Self.ask($0)
            },
            page("/purchases", for: .customers) { try await Self.open($0) },
            page("/purchases/{purchase}", for: .customers) {
                try await SalePage.purchase($0, named: $0.request[Self.purchase])
            },
            form("/purchases/{purchase}/{act}", for: .customers) {
                try await Self.actOnPurchase($0, $1)
            } else: {
                try await SalePage.purchase($0, named: $0.request[Self.purchase])
            },
        ]
    }

    private static func id(_ visit: ConsoleVisit) throws -> TransactionID { try visit.request[transaction] }

    // MARK: Lists

    private static func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (text, standing) = (visit.query["q"] ?? "", visit.query["standing"].flatMap(SaleSearch.Standing.init))
        let before = visit.query["before"].flatMap { PurchaseID($0) }
        let (found, hasMore, pulse) = try await visit.store.database.read { transaction in
            var search = SaleSearch(standing, before: before, limit: rows + 1)
            try search.narrow(to: text, in: transaction)
            let found = try search.run(in: transaction)
            return (Array(found.prefix(rows)), found.count > rows, try SaleStatus.pulse(in: transaction))
        }
        let names = try await visit.names(of: found.map { try $0.status.terms.item.id })
        let customer = found.first?.customer
        let isOfOne = text.contains("@") || CustomerID(text) != nil
        var page = ConsolePage(visit: visit, title: "Transactions", place: .transactions)
        page.lede =
            isOfOne && customer != nil
            ? "Everything that \(customer?.email ?? text) wanted to buy here, the newest first."
            : "Everything that was wanted, the newest first. This page follows what happens."
        page.alternatives = [
            .init(
                command: "transactions list" + (isOfOne ? " --customer \(text)" : ""),
                request: "/transactions" + (isOfOne ? "?customer=\(PercentEncoding.encode(text))" : ""))
        ]
        page.pulse = before == nil ? pulse : nil
        return try await page.response {
            filters(visit, text, standing)
            try SaleText(visit: visit).table(
                "Transactions", found, names: names,
                empty: nothing(visit, isFiltered: !text.isEmpty || standing != nil),
                next: hasMore
                    ? found.last.map {
                        visit.link(
                            "/transactions", ("q", text.isEmpty ? nil : text), ("standing", standing?.rawValue),
                            ("before", $0.status.id.description))
                    } : nil)
        }
    }

    private static func filters(_ visit: ConsoleVisit, _ text: String, _ standing: SaleSearch.Standing?) -> Element {
        StoreWeb.form(.class("filters"), .action(visit.link("/transactions"))) {
            input(
                .name("q"), .value(text), .label("E-mail, customer, app or product"), .isUnspelled, .longest(254),
                .placeholder("E-mail, customer, app or product"))
            select(.name("standing"), .label("How they stand")) {
                option(.value("")) { "All" }
                for one in SaleSearch.Standing.allCases {
                    option(.value(one.rawValue), one == standing ? .isSelected : nil) { one.title }
                }
            }
            button { "Show" }
        }
    }

    /// What there is to say where nothing is.
    @HTMLBuilder static func nothing(_ visit: ConsoleVisit, isFiltered: Bool) -> [any HTML] {
        if isFiltered {
            p { "Nothing of this kind." }
        } else {
            p { "Nobody has bought anything yet. Three ways to begin:" }
            ul {
                li {
                    "In a terminal, a sample app: "
                    code { "make sample" }
                }
                li {
                    "Without an app: "
                    code { "till buy PRODUCT --app BUNDLE --customer EMAIL \(visit.desk.options)" }
                }
                li { "Your own app, built with Till’s StoreKit and a profile: see the page of the app." }
            }
        }
    }

    private static func open(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (found, pulse) = try await visit.store.database.read { transaction in
            (try SaleSearch(.open, limit: rows).run(in: transaction), try SaleStatus.pulse(in: transaction))
        }
        let names = try await visit.names(of: found.map { try $0.status.terms.item.id })
        var page = ConsolePage(visit: visit, title: "Open purchases", place: .purchases)
        page.lede =
            found.isEmpty
            ? "Nothing waits for anybody." : "What waits for a person or for the processor, the newest first."
        page.pulse = pulse
        page.alternatives = [.init(command: "purchases list", request: "/purchases")]
        return try await page.response {
            try SaleText(visit: visit).table(
                "Open purchases", found, names: names,
                empty: [
                    p {
                        "A purchase is here from the moment an app asks for it until it is paid, declined or cancelled."
                    }
                ])
        }
    }

    // MARK: Following

    /// Answers as soon as the books are not as they were; for the script.
    private static func pulse(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (known, store) = (visit.query["after"] ?? "", visit.store)
        let history = visit.query["of"] == "requests" ? visit.desk.histories[visit.environment] : nil
        var pulse = known
        for _ in 0..<wait where pulse == known {
            // Nobody signals that an app has asked, so the books are looked at.
            let now = try await store.wakes.wait(for: "console", on: .customerEvents, upTo: .seconds(1)) {
                let now =
                    if let history { "requests \(history.count)" } else {
                        try await store.database.read { try SaleStatus.pulse(in: $0) }
                    }
                return now == known ? nil : now
            }
            if let now { pulse = now }
            if Task.isCancelled || store.wakes.isOver { break }
        }
        var response = HTTPResponse.text(pulse)
        response.fields["Cache-Control"] = "no-store"
        return response
    }

    // MARK: Doing something

    private static func ask(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let id = try id(visit)
        guard let act = visit.request.parameters.text("act").flatMap(SaleAct.init) else {
            throw APIError(.notFound, code: "path_unknown", "There is no such page.")
        }
        return try await SalePage.transaction(visit, id, asking: act)
    }

    private static func act(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (id, desk, cause) = (try id(visit), TransactionDesk(visit.store), visit.cause)
        let reason: RevocationReason = input["reason"] == "issue" ? .appIssue : .other
        switch visit.request.parameters.text("act").flatMap(SaleAct.init) {
        case .refund:
            let refund = try await RefundDriver(visit.store).refund(
                Self.intent(input, id, visit.store, reason), of: id, cause)
            if refund.state == .failed {
                throw ServiceError(
                    .stateWrong, "the processor refused: \(refund.rules.failure ?? "it gave no reason")")
            }
            return visit.link("/transactions/\(id)", ("done", refund.state == .refunding ? "refunding" : "refunded"))
        case .revocation:
            _ = try await desk.revoke(id, reason: reason, cause)
            return visit.link("/transactions/\(id)", ("done", "revoked"))
        case .redelivery:
            _ = try await desk.redeliver(id, cause)
            return visit.link("/transactions/\(id)", ("done", "redelivered"))
        case .finish:
            _ = try await desk.finish(id, cause)
            return visit.link("/transactions/\(id)", ("done", "finished"))
        case nil: throw APIError(.notFound, code: "path_unknown", "There is no such page.")
        }
    }

    /// What a form of a refund means: all that is left, or an amount.
    private static func intent(
        _ input: FormInput, _ id: TransactionID, _ store: EnvironmentStore, _ reason: RevocationReason
    ) async throws -> RefundIntent {
        let text = input["amount"].trimmingPrefix(" ")
        guard input["part"] == "some" else { return .full(reason) }
        guard let key = PurchaseKey(input["key"]) else {
            throw ServiceError(.valueInvalid, "load the page again", parameter: "key")
        }
        return try await TransactionDesk(store).part(
            String(text), of: id, revokes: input["revokes"] == "yes", key: key, reason: reason)
    }

    private static func actOnPurchase(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (name, checkout, cause) = (try visit.request[purchase], Checkout(visit.store), visit.cause)
        switch visit.request.parameters.text("act") {
        case "approval":
            _ = try await Approvals(visit.store).answer(
                code: input["code"], for: input["customer"].isEmpty ? nil : input["customer"], isApproved: true, cause)
            return visit.link("/purchases/\(PercentEncoding.encode(name))", ("done", "approved"))
        case "cancellation":
            _ = try await checkout.cancel(named: name, cause)
            return visit.link("/purchases/\(PercentEncoding.encode(name))", ("done", "cancelled"))
        case "settlement":
            _ = try await checkout.settleInterruption(of: name, cause)
            return visit.link("/purchases/\(PercentEncoding.encode(name))", ("done", "settled"))
        default: throw APIError(.notFound, code: "path_unknown", "There is no such page.")
        }
    }
}

/// What can be done with a transaction, by its name in paths.
// Closed: each has its question.
enum SaleAct: String, CaseIterable {
    case refund, revocation, redelivery, finish
}

extension SaleSearch.Standing {
    var title: String {
        switch self {
        case .open: "Open"
        case .bought: "Bought"
        case .unfinished: "Not finished"
        case .revoked: "Taken back"
        case .failed: "Came to nothing"
        }
    }
}

extension SaleSearch {
    /// Narrows a search to what a text names: a customer, an app or a product.
    mutating func narrow(to text: String, in transaction: any ReadTransaction) throws {
        guard !text.isEmpty else { return }
        if text.contains("@") || CustomerID(text) != nil {
            customer = (try? Customers.named(text, in: transaction))?.id
            // Nobody of this address has bought anything.
            if customer == nil { limit = 0 }
        } else {
            name = text
        }
    }
}
