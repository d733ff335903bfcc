import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Transactions and purchases: the list that follows what happens, and the page of one with its whole life.
struct SalesSection: ConsoleSection {
    let services: ConsoleServices

    private static let purchase = PathParameter<String>("purchase", rule: "a number, a code or the id of a request") {
        $0.isEmpty ? nil : $0
    }
    private static let transaction = PathParameter<TransactionID>("transactionId", rule: "the number of a transaction")
    {
        TransactionID($0)
    }

    var routes: [Route] {
        [
            page("/pulse", for: .customers, .here, pulse),
            page("/transactions", for: .customers, .here, list),
            page("/transactions/{transactionId}", for: .customers, .here) {
                try await SalePage.transaction($0, id($0))
            },
            page("/transactions/{transactionId}/{act}", for: .customers, .here, ask),
            form("/transactions/{transactionId}/{act}", for: .customers, .here, act, else: ask),
            page("/purchases", for: .customers, .here, open),
            page("/purchases/{purchase}", for: .customers, .here) {
                try await SalePage.purchase($0, named: $0.request[Self.purchase])
            },
            form("/purchases/{purchase}/{act}", for: .customers, .here) {
                try await actOnPurchase($0, $1)
            } else: {
                try await SalePage.purchase($0, named: $0.request[Self.purchase])
            },
        ]
    }

    private func id(_ visit: ConsoleVisit) throws -> TransactionID { try visit.request[Self.transaction] }

    // MARK: Lists

    /// By what sales are sorted: by their numbers, which follow the time of the question.
    // Closed: other columns have no index, and none is worth what it would cost each purchase.
    private enum SaleColumn: String { case when }

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let filter = ListFilter(visit, "/transactions", [.days, .amounts], choices: ["standing"])
        let standing = visit.query["standing"].flatMap(SaleSearch.Standing.init)
        let after = visit.query["after"].flatMap { SaleID($0) }
        let order = TableOrder<SaleColumn>(visit.query, standard: .when, isDescending: true)
        let looked = try await look(standing, filter, order, after: after, visit)
        let customer = looked.found.first?.customer
        let isOfOne = filter.text.contains("@") || CustomerID(filter.text) != nil
        let how = order.isDescending ? "the newest first" : "the oldest first"
        var page = ConsolePage(visit: visit, title: "Transactions", place: .transactions)
        page.lede =
            isOfOne && customer != nil
            ? "Everything that \(customer?.email ?? filter.text) wanted to buy here, \(how)."
            : "Everything that was wanted, \(how). This page follows what happens."
        page.alternatives = [
            .init(
                command: "transactions list" + (isOfOne ? " --customer \(filter.text)" : "") + filter.options,
                request: Self.request(
                    "/transactions",
                    (isOfOne ? ["customer=\(PercentEncoding.encode(filter.text))"] : []) + filter.requestItems))
        ]
        page.pulse = after == nil ? looked.pulse : nil
        page.exported = "transactions"
        if filter.problem != nil { page.status = .badRequest }
        page.exportedFrom = filter.link(order)
        return try await page.response {
            filter.form(by: "E-mail, customer, app or product", order: order.fields) {
                filter.choice(
                    "standing", "How they stand", SaleSearch.Standing.allCases.map { ($0.rawValue, $0.title) })
            }
            try SaleText(visit: visit).table(
                "Transactions", looked.found, titles: looked.titles, isByDay: true,
                empty: FirstSteps(visit: visit).sale(isFiltered: filter.isNarrow, isCut: looked.isCut),
                when: order.heading(.when, descendingFirst: true) { filter.link($0) },
                next: looked.next.map {
                    (nextText(looked, order.isDescending), filter.link(order, ("after", $0.description)))
                })
        }
    }

    private static func request(_ path: String, _ items: [String]) -> String {
        path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    private func look(
        _ standing: SaleSearch.Standing?, _ filter: ListFilter, _ order: TableOrder<SaleColumn>, after: SaleID?,
        _ visit: ConsoleVisit
    ) async throws -> OperatorTransactions.Listed {
        var search = SaleSearch(standing, after: after, isOldestFirst: !order.isDescending, limit: filter.rows)
        (search.period, search.amount) = (filter.period, filter.amount)
        return try await OperatorTransactions(visit.store).list(search, narrowedTo: filter.text)
    }

    /// What leads to those that follow.
    private func nextText(_ looked: OperatorTransactions.Listed, _ isNewestFirst: Bool) -> String {
        let what = isNewestFirst ? "earlier ones" : "later ones"
        return looked.isCut ? "Look for \(what)" : what.prefix(1).uppercased() + what.dropFirst()
    }

    private func open(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let filter = ListFilter(visit, "/purchases", [.days, .amounts])
        let after = visit.query["after"].flatMap { SaleID($0) }
        let order = TableOrder<SaleColumn>(visit.query, standard: .when, isDescending: true)
        let looked = try await look(.open, filter, order, after: after, visit)
        let how = order.isDescending ? "the newest first" : "the oldest first"
        var page = ConsolePage(visit: visit, title: "Open purchases", place: .purchases)
        page.lede =
            looked.found.isEmpty && !filter.isNarrow
            ? "Nothing waits for anybody." : "What waits for a person or for the processor, \(how)."
        page.pulse = after == nil ? looked.pulse : nil
        page.alternatives = [
            .init(
                command: "purchases list" + filter.options, request: Self.request("/purchases", filter.requestItems))
        ]
        page.exported = "purchases"
        if filter.problem != nil { page.status = .badRequest }
        page.exportedFrom = filter.link(order)
        return try await page.response {
            filter.form(by: "E-mail, customer, app or product", order: order.fields)
            try SaleText(visit: visit).table(
                "Open purchases", looked.found, titles: looked.titles, isByDay: true,
                empty: nothingOpen(visit, isFiltered: filter.isNarrow),
                when: order.heading(.when, descendingFirst: true) { filter.link($0) },
                next: looked.next.map {
                    (nextText(looked, order.isDescending), filter.link(order, ("after", $0.description)))
                })
        }
    }

    @HTMLBuilder private func nothingOpen(_ visit: ConsoleVisit, isFiltered: Bool) -> [any HTML] {
        if isFiltered {
            p { "Nothing of this kind waits." }
        } else if visit.store.processor.form.isMissing {
            FirstSteps(visit: visit).processor
        } else {
            p { "A purchase is here from the moment an app asks for it until it is paid, declined or cancelled." }
        }
    }

    // MARK: Following

    /// Answers as soon as what a page shows is not as it was; for the script.
    private func pulse(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let store = visit.store
        if visit.query["of"] == "requests", let history = visit.services.histories[visit.environment] {
            return try await visit.pulse { "requests \(history.count)" }
        }
        return try await visit.pulse { try await OperatorTransactions(store).pulse() }
    }

    // MARK: Doing something

    private func ask(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let id = try id(visit)
        return try await SalePage.transaction(visit, id, asking: visit.act())
    }

    private func act(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (id, transactions, cause) = (try id(visit), OperatorTransactions(visit.store), visit.cause)
        switch try visit.act(SaleAct.self) {
        case .refund:
            let refund = try await transactions.refund(
                id, RefundFields.choice(input), key: PurchaseKey(input["key"]), reason: reason(input), cause)
            if refund.state == .failed {
                throw ServiceError(
                    .stateWrong, "the processor refused: \(refund.rules.failure ?? "it gave no reason")")
            }
            return visit.link("/transactions/\(id)", done: .of(refund))
        case .revocation:
            _ = try await transactions.revoke(id, reason: reason(input), cause)
            return visit.link("/transactions/\(id)", done: .revoked)
        case .redelivery:
            _ = try await transactions.redeliver(id, cause)
            return visit.link("/transactions/\(id)", done: .redelivered)
        case .question:
            let asked = try await RefundDecisions(visit.store).request(
                id, for: try await transactions.details(of: id).transaction.customerID.description,
                because: RefundRequestReason(rawValue: input["reason"]),
                note: input["note"].isEmpty ? nil : input["note"],
                visit.cause)
            return visit.link("/refunds/\(asked.request.id)", done: .asked)
        case .finish:
            _ = try await transactions.finish(id, cause)
            return visit.link("/transactions/\(id)", done: .finished)
        }
    }

    private func reason(_ input: FormInput) throws(ServiceError) -> RevocationReason {
        switch input["reason"] {
        case "issue": return .appIssue
        case "other", "": return .other
        default:
            throw ServiceError(
                .valueInvalid, "the reason is an issue with the app, or another one", parameter: "reason")
        }
    }

    private func actOnPurchase(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (name, checkout, cause) = (try visit.request[Self.purchase], Checkout(visit.store), visit.cause)
        let act = try visit.act(PurchaseAct.self)
        switch act {
        case .approval:
            _ = try await Approvals(visit.store).answer(
                code: input["code"], for: input["customer"].isEmpty ? nil : input["customer"], isApproved: true, cause)
            return visit.link("/purchases/\(PercentEncoding.encode(name))", done: .approved)
        case .parentalApproval, .parentalRefusal:
            let isApproved = act == .parentalApproval
            _ = try await AskToBuy(visit.store).decide(named: name, isApproved: isApproved, cause)
            return visit.link(
                "/purchases/\(PercentEncoding.encode(name))", done: isApproved ? .approved : .declined)
        case .cancellation:
            _ = try await checkout.cancel(named: name, cause)
            return visit.link("/purchases/\(PercentEncoding.encode(name))", done: .cancelled)
        case .settlement:
            _ = try await checkout.settleInterruption(of: name, cause)
            return visit.link("/purchases/\(PercentEncoding.encode(name))", done: .settled)
        }
    }
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
