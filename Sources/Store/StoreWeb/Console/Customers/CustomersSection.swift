import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Customers and testers: the list, and the page of one with what they own, pay with and use.
struct CustomersSection: ConsoleSection {
    let services: ConsoleServices

    private static let customer = PathParameter<String>(
        "customer", rule: "the number or the e-mail address of an account"
    ) {
        $0.isEmpty ? nil : $0
    }

    var routes: [Route] {
        [
            page("/customers", for: .customers, .here) { try await list($0) },
            newCustomer,
            page("/customers/{customer}", for: .customers, .here, show),
            page("/customers/{customer}/recovery", for: .customers, .here, show),
            newRecovery,
            form("/customers/{customer}/clock/{act}", for: .customers, .here) { visit, input in
                let (name, act) = (try visit.request[Self.customer], try visit.act(ClockAct.self))
                try await ClockControls.control(act, name, visit, input)
                return visit.link("/customers/\(PercentEncoding.encode(name))", done: .clock)
            } else: {
                try await show($0)
            },
            page("/customers/{customer}/clock/{act}", for: .customers, .here, show),
            page("/customers/{customer}/sheet", for: .customers, .here, sheet),
            form("/customers/{customer}/{act}", for: .customers, .here, change, else: show),
        ]
    }

    // MARK: Customers

    /// What is drawn of a tester is shown once: on the page that answers its form.
    private var newCustomer: Route {
        shown("/customers", for: .customers, .here) { visit, input in
            let draft = Accounts.Draft(
                email: input["email"], password: input.text("password"), firstName: input.text("firstName"),
                lastName: input.text("lastName"),
                storefront: input.text("storefront").map { StorefrontCode(rawValue: $0) },
                birthDate: input.text("birthDate"), secretQuestion: input.text("secretQuestion"),
                secretAnswer: input.text("secretAnswer"))
            guard visit.environment == .sandbox else {
                guard draft.password != nil else {
                    throw ServiceError(.valueMissing, "a customer has a password", parameter: "password")
                }
                let account = try await Accounts(visit.store).create(draft, visit.cause)
                return redirect(to: visit.link("/customers/\(account.customer.id)", done: .made))
            }
            let made = try await Accounts(visit.store).createTester(draft, visit.cause)
            guard made.password != nil || made.secretAnswer != nil else {
                return redirect(to: visit.link("/customers/\(made.account.customer.id)", done: .made))
            }
            return try await list(visit, made: made)
        } else: {
            try await list($0)
        }
    }

    /// What was drawn of a tester, and never is shown again.
    @HTMLBuilder private func drawn(_ made: Accounts.NewTester, _ visit: ConsoleVisit) -> [any HTML] {
        let customer = made.account.customer
        let answer = made.secretAnswer.map { "\n\(customer.secretQuestion ?? "") \($0)" } ?? ""
        once(
            "\(customer.firstName) \(customer.lastName), born \(customer.birthDate ?? "some day"), is made. What was drawn is shown "
                + "this once, and fixed:",
            "\(customer.email)\n\(made.password ?? "the password that you typed")\(answer)")
        p { a(.class("button primary"), .href(visit.link("/customers/\(customer.id)"))) { "To \(customer.email)" } }
    }

    private func title(_ visit: ConsoleVisit) -> String {
        visit.environment == .sandbox ? "Testers" : "Customers"
    }

    /// The command about people of an environment.
    private func command(_ visit: ConsoleVisit) -> String {
        visit.environment == .sandbox ? "testers" : "customers"
    }

    private func list(_ visit: ConsoleVisit, made: Accounts.NewTester? = nil) async throws -> HTTPResponse {
        let filter = ListFilter(visit, "/customers")
        let after = visit.query["after"].flatMap { CustomerID($0) }
        let order = TableOrder<Customers.Order>(visit.query, standard: .made, isDescending: true)
        let found = try await Accounts(visit.store).search(
            filter.text, by: order.column, isDescending: order.isDescending, madeIn: filter.period, after: after,
            limit: filter.rows == 0 ? 0 : filter.rows + 1)
        var page = ConsolePage(visit: visit, title: title(visit), place: .people)
        page.lede =
            visit.environment == .sandbox
            ? "Accounts that buy without money. Each has buttons for what shall happen to its next payment."
            : "Accounts that buy for money."
        page.alternatives = [.init(command: "\(command(visit)) list", request: "/customers")]
        page.exported = command(visit)
        page.exportedFrom = filter.link(order)
        if filter.problem != nil { page.status = .badRequest }
        return try await page.response {
            if let made { drawn(made, visit) }
            filter.form(by: "E-mail or number", days: "Made", order: order.fields)
            table(of: found, visit, filter, order)
            if visit.may(.customers, change: true) { newPerson(visit) }
        }
    }

    private func table(
        of found: [Customer], _ visit: ConsoleVisit, _ filter: ListFilter, _ order: TableOrder<Customers.Order>
    ) -> [any HTML] {
        let rows = filter.rows
        func heading(_ column: Customers.Order, descendingFirst: Bool = false) -> DataTable.Sorting {
            order.heading(column, descendingFirst: descendingFirst) { filter.link($0) }
        }
        return DataTable(
            title: title(visit),
            columns: [
                .text("Account", heading(.email)), .optional("Name"), .text("Storefront"), .text("State"),
                .optional("Made", heading(.made, descendingFirst: true)),
            ],
            rows: found.prefix(rows).map { customer in
                [
                    [
                        a(.href(visit.link("/customers/\(customer.id)"))) { customer.email },
                        span(.class("faint")) { " \(customer.id)" },
                    ],
                    [[customer.firstName, customer.lastName].filter { !$0.isEmpty }.joined(separator: " ")],
                    [customer.storefront.name], [standing(customer)], [ago(customer.createdAt, visit.now)],
                ]
            }, empty: nobody(visit, isFiltered: filter.isNarrow),
            next: found.count > rows && rows > 0
                ? filter.link(order, ("after", found[rows - 1].id.description)) : nil, isOfLinks: true
        ).element
    }

    private func nobody(_ visit: ConsoleVisit, isFiltered: Bool) -> [any HTML] {
        if isFiltered { return [p { "Nobody has this in the address." }] }
        guard visit.environment == .sandbox else {
            return [p { "Nobody has an account yet. Customers make theirs on the page of their first purchase." }]
        }
        return [
            p { "There is no tester yet. The form below makes one, and so does:" },
            p { code { visit.command("\(command(visit)) add ada@example.com --ask-password") } },
        ]
    }

    private func standing(_ customer: Customer) -> Element {
        if customer.spentAt != nil { return tag(.calm, "a customer of production now") }
        if !customer.purchasesAllowed { return tag(.bad, "may not buy") }
        if customer.asksToBuy { return tag(.warn, "asks a parent") }
        return customer.interruptsPurchases ? tag(.warn, "is interrupted") : tag(.good, "may buy")
    }

    private func newPerson(_ visit: ConsoleVisit) -> Element {
        let isSandbox = visit.environment == .sandbox
        return details(.class("card make")) {
            summary { isSandbox ? "Make a tester" : "Make a customer" }
            visit.form("/customers", .class("fields")) {
                field("email", "E-mail", type: "email", isRequired: true)
                if isSandbox {
                    StoreWeb.button(.class("primary")) { "Make it" }
                    p(.class("muted")) {
                        "An address is enough; it pays with a test card. What you leave empty below is drawn and shown once. Only the "
                        "storefront and what is for tests can be changed later."
                    }
                }
                field(
                    "password", isSandbox ? "Password; drawn if empty" : "Password", type: "password",
                    isRequired: !isSandbox)
                field("firstName", "First name")
                field("lastName", "Last name")
                storefrontChoice(id: "storefront")
                field("birthDate", "Date of birth", type: "date")
                field("secretQuestion", "Secret question")
                field("secretAnswer", "Its answer", type: "password")
                if !isSandbox { StoreWeb.button(.class("primary")) { "Make it" } }
            }
        }
    }

    // MARK: One of them

    /// A link to another password is shown once: on the page that answers its form.
    private var newRecovery: Route {
        shown("/customers/{customer}/recovery", for: .customers, .here) { visit, _ in
            let recovery = try await Accounts(visit.store).beginRecovery(
                of: visit.request[Self.customer], visit.cause)
            let address = visit.services.address(visit.environment)?.description ?? ""
            return try await show(visit, recovery: "\(address)/recovery/\(recovery.token)")
        } else: {
            try await show($0)
        }
    }

    /// Rows of the lists on the page of a customer.
    private static let rowsOfOne = 20

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse { try await show(visit, recovery: nil) }

    private func show(_ visit: ConsoleVisit, recovery: String?) async throws -> HTTPResponse {
        let name = try visit.request[Self.customer]
        let details = try await Accounts(visit.store).details(of: name, limit: Self.rowsOfOne)
        let (account, family, found) = (details.account, details.family, details.sales)
        let customer = account.customer
        let offers = try await OfferCard.offers(visit, customer, in: found.map { try $0.status.terms.bundle })
        let clock = visit.environment == .sandbox ? try await Clocks(visit.store).show("\(customer.id)") : nil
        var page = ConsolePage(
            visit: visit, title: customer.email.isEmpty ? "Deleted account \(customer.id)" : customer.email,
            place: .people)
        page.tag = standing(customer)
        page.crumbs = [(title(visit), visit.link("/customers"))]
        page.lede = lede(of: account, details.devices.count)
        page.alternatives = [
            .init(command: "\(command(visit)) show \(customer.id)", request: "/customers/\(customer.id)")
        ]
        if clock != nil {
            page.alternatives.append(
                .init(
                    command: "clock advance 1mo --tester \(customer.id)",
                    request: "POST /customers/\(customer.id)/clock/advances", body: #"{"by":"1mo"}"#))
        }
        let outcomes =
            visit.may(.customers, change: true) && customer.deletedAt == nil && customer.spentAt == nil
            ? OutcomesCard(
                visit: visit, account: account, family: family,
                refundable: found.lazy.compactMap(\.status.bought).first {
                    $0.revocation == nil && !$0.price.isZero
                }?.id
            ).element : nil
        return try await page.response {
            outcomes
            if let recovery {
                once(
                    "A link to another password, good for an hour. Hand it over to the owner of the account only:",
                    recovery)
            }
            try div(.class("two")) {
                try div(.class("stack")) {
                    try section {
                        h2 { "Purchases" }
                        try SaleText(visit: visit).table(
                            "Purchases", found, titles: details.titles, ofOne: true, empty: [p { "Nothing yet." }],
                            next: found.count == Self.rowsOfOne
                                ? ("Further ones", visit.link("/transactions", ("q", "\(customer.id)"))) : nil)
                    }
                    if !details.subscriptions.isEmpty {
                        section {
                            h2 { "Subscriptions" }
                            SubscriptionTable(
                                visit: visit, found: details.subscriptions, customer: customer, titles: details.titles
                            ).element
                        }
                    }
                    if visit.may(.customers, change: true), customer.deletedAt == nil, customer.spentAt == nil {
                        RedemptionForm(visit: visit, customer: customer).element
                    }
                    if !offers.isEmpty {
                        section {
                            h2 { "Offers" }
                            OfferCard.table(offers, visit)
                        }
                    }
                    section {
                        h2 { "Signed in on" }
                        DeviceTable(visit: visit, devices: details.devices, empty: "No device.").element
                    }
                }
                div(.class("stack")) {
                    card("Facts") { facts(of: account) }
                    card("Family") { FamilyCard(visit: visit, customer: customer, family: family).content }
                    if outcomes != nil {
                        card("Preview the sheet") { sheetForm(visit, customer) }
                        if let clock {
                            card("The tester’s clock") {
                                ClockControls.facts(clock)
                                ClockControls(visit: visit, path: "/customers/\(customer.id)/clock").buttons
                                ClockForecastPage.form(visit, tester: "\(customer.id)", id: "ahead")
                            }
                        }
                    }
                }
            }
        }
    }

    @HTMLBuilder private func sheetForm(_ visit: ConsoleVisit, _ customer: Customer) -> [any HTML] {
        StoreWeb.form(.class("fields"), .action(visit.link("/customers/\(customer.id)/sheet"))) {
            field("bundle", "Bundle id of its app", isRequired: true)
            field("product", "Product id", isRequired: true)
            button { "Show it" }
        }
    }

    /// The sheet of a product as it looks to somebody: in the storefront of the account.
    private func sheet(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let account = try await Accounts(visit.store).account(named: try visit.request[Self.customer])
        let app = try BundleID(parsing: visit.query["bundle"] ?? "")
        let product = try ProductID(parsing: visit.query["product"] ?? "")
        return redirect(
            to: visit.link(
                "/apps/\(app)/products/\(product)/sheet", ("storefront", account.customer.storefront.rawValue)))
    }

    private func lede(of account: Accounts.Account, _ devices: Int) -> String {
        let customer = account.customer
        if customer.deletedAt != nil { return "The account was deleted; what it bought stays in the books." }
        if customer.spentAt != nil {
            return
                "This tester signed in to the real store and is a customer there now; nothing is tested with it any more."
        }
        let method = account.methods.last.map { "pays with \($0.label)" } ?? "has nothing to pay with"
        return "Signed in on \(devices) \(devices == 1 ? "device" : "devices"), \(method)."
    }

    private func facts(of account: Accounts.Account) -> Element {
        let customer = account.customer
        let name = [customer.firstName, customer.lastName].filter { !$0.isEmpty }.joined(separator: " ")
        return StoreWeb.facts(
            [
                ("Number", StoreWeb.name(customer.id)), ("Name", [name.isEmpty ? "none" : name]),
                ("Storefront", [customer.storefront.name]),
                ("Date of birth", [customer.birthDate ?? "not given"]),
                ("Secret question", [customer.secretQuestion ?? "none"]),
                (
                    "Pays with",
                    account.methods.isEmpty
                        ? ["nothing"] : account.methods.reversed().map { method -> any HTML in p { method.label } }
                ),
                ("Made", [customer.createdAt.written]),
            ] + (customer.tester.map { [("Was tester", ["\($0)"])] } ?? []))
    }

    private func change(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (name, accounts, value) = (try visit.request[Self.customer], Accounts(visit.store), input["value"])
        switch try visit.act(CustomerAct.self) {
        case .payment: try await accounts.pay(with: value, as: name, visit.cause)
        case .interruption: _ = try await accounts.change(name, .init(interruptsPurchases: value == "on"), visit.cause)
        case .renewalRate:
            _ = try await accounts.change(name, .init(renewalRate: RenewalRate(rawValue: value)), visit.cause)
        case .askToBuy: _ = try await accounts.change(name, .init(asksToBuy: value == "on"), visit.cause)
        case .family: _ = try await FamilyMembership(visit.store).create(by: name, visit.cause)
        case .familyMember:
            _ = try await FamilyMembership(visit.store).add(
                input["member"], as: Family.Role(rawValue: input["role"]), toFamilyOf: name, visit.cause)
        case .familyLeaving: try await FamilyMembership(visit.store).remove(name, fromFamilyOf: name, visit.cause)
        case .consentWithdrawal:
            _ = try await FamilyConsents(visit.store).withdraw(
                from: name, for: BundleID(parsing: input["app"]), visit.cause)
        case .consent:
            _ = try await FamilyConsents(visit.store).give(to: name, for: BundleID(parsing: value), visit.cause)
        case .redemption:
            _ = try await OfferCodeBatches(visit.store).redeem(
                input["code"], for: name, app: BundleID(parsing: input["app"]), key: PurchaseKey(input["key"]),
                visit.cause)
        case .purchases: _ = try await accounts.change(name, .init(purchasesAllowed: value == "on"), visit.cause)
        }
        return visit.link("/customers/\(PercentEncoding.encode(name))", done: .changed)
    }
}
