import CommandOptions
import Foundation
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// Makes something happen in the sandbox, step by step, by what every operator may do there; each step is told in a line.
///
/// It makes the testers that it needs, so that what others test with stays as it is.
actor TriggerRun {
    let store: AdminConnection
    /// Where the control interface begins.
    let base = SaleOptions.path(.sandbox)
    let tell: @Sendable (String) -> Void
    private(set) var scene: TriggerScene
    /// The account that it is done with.
    private var customer: CustomerReport?
    /// All accounts that take part.
    private(set) var customers: [CustomerID] = []
    /// What was told before of whom it is done with.
    private(set) var before: Set<NotificationID> = []
    private(set) var lines: [String] = []
    private let named: String?

    /// - Parameters:
    ///   - customer: the account that it is done with; a new tester if it is left out.
    ///   - tell: is given each line at once.
    init(_ store: AdminConnection, customer: String?, tell: @escaping @Sendable (String) -> Void) {
        self.store = store
        named = customer
        self.tell = tell
        scene = TriggerScene(app: TriggerApp.bundle, product: TriggerApp.gold)
    }

    /// Makes it happen.
    func run(_ trigger: NotificationTrigger, app: BundleID?, product: ProductID?) async throws {
        // A store elsewhere is asked at the address of its sandbox; production has no clock that can be controlled.
        _ = try await store.ask("GET", "\(base)/clock", as: ClockReport.self)
        scene = try await findScene(for: trigger.need, app: app, product: product)
        if named != nil { _ = try await buyer() }
        before = Set(try await told(of: trigger).map(\.notificationUUID))
        try await trigger.act(self)
    }

    func say(_ line: String) {
        lines.append(line)
        tell(line)
    }

    // MARK: Accounts

    /// The account that it is done with.
    func buyer() async throws -> CustomerReport {
        if let customer { return customer }
        let found: CustomerReport
        if let named {
            found = try await store.ask(
                "GET", "\(base)/customers/\(SaleOptions.escaped(named))", as: CustomerReport.self)
            customers.append(found.customerId)
        } else {
            found = try await newTester()
        }
        customer = found
        return found
    }

    /// A tester of this run alone.
    func newTester() async throws -> CustomerReport {
        let name = "trigger-\(UUID().uuidString.lowercased().prefix(8))@example.com"
        let made = try await store.ask(
            "POST", "\(base)/customers", CustomerRequest(email: name), as: CustomerReport.self)
        customers.append(made.customerId)
        say("Made the tester \(made.email).")
        return made
    }

    /// Lets the account pay with something else from now on.
    func pay(with token: String) async throws {
        let account = "\(base)/customers/\(try await buyer().customerId)"
        try await store.send("POST", account + "/payment-methods", PaymentMethodRequest(token: token))
        say(token == "test_approved" ? "The card is approved again." : "The card is declined from now on.")
    }

    /// Makes a family of the account and a new tester, and gives that one.
    func newMember() async throws -> CustomerReport {
        let (organiser, member) = (try await buyer(), try await newTester())
        _ = try await store.ask(
            "POST", "\(base)/families", FamilyRequest(organiser: organiser.email), as: FamilyReport.self)
        let wanted = FamilyMemberRequest(customer: member.email, role: nil)
        _ = try await store.ask(
            "POST", "\(base)/families/\(organiser.customerId)/members", wanted, as: FamilyReport.self)
        say("\(organiser.email) has a family with \(member.email).")
        return member
    }

    /// Takes somebody out of the account's family.
    func remove(_ member: CustomerReport) async throws {
        let organiser = try await buyer()
        try await store.send("DELETE", "\(base)/families/\(organiser.customerId)/members/\(member.customerId)")
        say("\(member.email) left the family.")
    }

    // MARK: Purchases

    /// Buys the product of the scene, or another one; gives the transaction.
    @discardableResult
    func buy(_ product: ProductID? = nil, offer: String? = nil) async throws -> TransactionID? {
        let (buyer, product) = (try await buyer(), product ?? scene.product)
        let order = OperatorPurchaseRequest(
            customer: "\(buyer.customerId)", bundleId: scene.app, productId: product.text, offerId: offer)
        let bought = try await store.ask("POST", "\(base)/purchases", order, as: PurchaseReport.self)
        guard bought.state.value == .purchased else {
            throw CommandFailure(.failure, "\(buyer.email) could not buy \(product): \(bought.summary)")
        }
        let what = "\(product)\(offer.map { " with the offer \($0)" } ?? "")"
        // What comes with the next renewal costs nothing yet.
        say(
            bought.isOwned == true
                ? "\(buyer.email) chose \(what) for the next renewal."
                : "\(buyer.email) bought \(what) for \(bought.total.amount) \(bought.total.currency).")
        return bought.transactionId
    }

    /// Buys what is used up, and gives its transaction.
    func buyOnce() async throws -> TransactionID {
        guard let id = try await buy() else {
            throw CommandFailure(.failure, "nothing was bought anew: the account owned it already")
        }
        return id
    }

    // MARK: Subscriptions

    /// The newest subscription of the account to the app.
    func subscription() async throws -> SubscriptionDetails {
        let found = try await store.ask(
            "GET", "\(base)/subscriptions?customer=\(try await buyer().customerId)&app=\(scene.app)&limit=1",
            as: Page<SubscriptionReport>.self)
        guard let one = found.items.first else { throw CommandFailure(.failure, "there is no subscription") }
        return try await store.ask("GET", "\(base)/subscriptions/\(one.subscriptionId)", as: SubscriptionDetails.self)
    }

    /// Does one of the acts of `till subscriptions` and says so.
    func act(_ noun: String, _ line: String) async throws {
        let id = try await subscription().subscription.subscriptionId
        _ = try await store.ask("POST", "\(base)/subscriptions/\(id)/\(noun)", as: SubscriptionDetails.self)
        say(line)
    }

    /// Answers to a higher price.
    func agreeToPrice() async throws {
        let id = try await subscription().subscription.subscriptionId
        _ = try await store.ask(
            "POST", "\(base)/subscriptions/\(id)/price-answer", PriceAnswerRequest(agrees: true),
            as: SubscriptionDetails.self)
        say("The customer agreed to the price.")
    }

    /// Advances the clock of the account to a moment, and waits until all is done that becomes due by that.
    func advance(to moment: Instant, _ line: String) async throws {
        let wanted = ClockAdvanceRequest(to: moment + .seconds(1), confirmed: true)
        let done = try await store.ask(
            "POST", "\(base)/customers/\(try await buyer().customerId)/clock/advances", wanted,
            as: ClockAdvanceReport.self)
        say("\(line) The tester's clock shows \(done.clock.time.rfc3339).")
    }

    /// Advances to the end of the period that runs.
    func advanceToEnd(_ line: String = "The period ended.") async throws {
        try await advance(to: try await subscription().subscription.endsAt, line)
    }

    /// Lets the period of the subscription end a week later.
    func extend() async throws {
        let id = try await subscription().subscription.subscriptionId
        let wanted = PeriodExtensionRequest(days: 7)
        _ = try await store.ask("POST", "\(base)/subscriptions/\(id)/extension", wanted, as: SubscriptionDetails.self)
        say("The period of the subscription ends a week later.")
    }

    /// Lets the periods of all who subscribe to the product end a day later, and waits until that is done.
    func extendAll() async throws {
        let path = "\(base)/apps/\(scene.app)/products/\(scene.product)/extensions"
        let wanted = PeriodExtensionRequest(days: 1)
        var done = try await store.ask("POST", path, wanted, as: MassExtensionReport.self)
        for _ in 0..<100 where done.completedAt == nil {
            try await Task.sleep(for: .milliseconds(100))
            done = try await store.ask("GET", "\(path)/\(done.requestIdentifier)", as: MassExtensionReport.self)
        }
        guard done.completedAt != nil else {
            throw CommandFailure(.failure, "not all subscribers were extended within 10 seconds")
        }
        say(
            "The periods of all subscribers end a day later: \(done.succeeded) of \(done.succeeded + done.failed) could."
        )
    }

    // MARK: Refunds

    /// Asks for the money of a transaction, as the customer does.
    func ask(for transaction: TransactionID) async throws -> RefundRequestID {
        let question = RefundQuestion(
            transactionId: transaction, customer: "\(try await buyer().customerId)", reason: .unintended)
        let asked = try await store.ask(
            "POST", "\(base)/refund-requests", question, as: RefundRequestReport.self)
        say("The customer asked for the money back: refund request \(asked.refundRequestId).")
        return asked.refundRequestId
    }

    /// Decides a request.
    func decide(_ request: RefundRequestID, _ noun: String, _ line: String) async throws {
        let path = "\(base)/refund-requests/\(request)/\(noun)"
        let because = "till trigger"
        _ =
            noun == "approval"
            ? try await store.ask("POST", path, RefundApproval(because: because), as: RefundRequestReport.self)
            : try await store.ask("POST", path, RefundDecision(because: because), as: RefundRequestReport.self)
        say(line)
    }

    /// Gives the money of a transaction back, without a request.
    func refund(_ transaction: TransactionID) async throws {
        _ = try await store.ask(
            "POST", "\(base)/transactions/\(transaction)/refund", RefundOrder(), as: RefundReport.self)
        say("The money of \(transaction) was given back.")
    }

    // MARK: What is sold

    /// Takes the product off the shelves while something is done, and puts it back in any case.
    func withoutSale(_ body: @Sendable () async throws -> Void) async throws {
        let path = "\(base)/apps/\(scene.app)/products/\(scene.product)/clearance"
        try await store.send("DELETE", path)
        say("\(scene.product) is not sold any more.")
        do {
            try await body()
        } catch {
            try? await store.send("POST", path)
            throw error
        }
        try await store.send("POST", path)
        say("\(scene.product) is sold again.")
    }
}

// MARK: What is told of apps

extension TriggerRun {
    /// Lets a parent take back the consent to a child's use of the app: a new tester's, or that of the account that was named.
    func rescindConsent() async throws {
        let child = try await buyer()
        if named == nil {
            try await buy()
            let organiser = try await newTester()
            _ = try await store.ask(
                "POST", "\(base)/families", FamilyRequest(organiser: organiser.email), as: FamilyReport.self)
            let wanted = FamilyMemberRequest(customer: child.email, role: "child")
            _ = try await store.ask(
                "POST", "\(base)/families/\(organiser.customerId)/members", wanted, as: FamilyReport.self)
            say("\(child.email) is a child in the family of \(organiser.email).")
        }
        let path = "\(base)/families/\(child.customerId)/consents/\(scene.app)"
        _ = try await store.ask("PUT", path, as: FamilyReport.self)
        _ = try await store.ask("DELETE", path, as: FamilyReport.self)
        say("The consent to the use of \(scene.app) by \(child.email) was taken back.")
    }

    /// Whether notifications of an app have an address.
    func hasAddress(_ app: BundleID) async throws -> Bool {
        try await store.ask(
            "GET", "\(base)/apps/\(app)/notification-settings", as: NotificationSettingReport.self
        ).url != nil
    }

    /// Asks for a test notification.
    func requestTest() async throws {
        let asked = try await store.ask(
            "POST", "\(base)/apps/\(scene.app)/notifications/test", as: NotificationReport.self)
        say("Asked for a test notification: \(asked.notificationUUID).")
    }

    /// Returns when a member of the family has the product of the scene.
    func untilShared(with member: CustomerReport) async throws {
        for _ in 0..<100 {
            let found = try await store.ask(
                "GET", "\(base)/transactions?customer=\(member.customerId)&limit=1", as: Page<TransactionReport>.self)
            if !found.items.isEmpty { return say("\(member.email) has it from the family.") }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw CommandFailure(.failure, "\(scene.product) was not shared with the family within 10 seconds")
    }
}
