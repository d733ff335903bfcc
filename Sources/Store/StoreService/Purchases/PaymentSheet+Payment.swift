package import StoreCatalogue
import StoreDatabase
package import StoreHTTP
import StoreModel
package import StoreRules

/// The yes on the page of a purchase, and how it is paid.
///
/// A declined card is not the end there: the charge rests until another card is tried, which is an attempt of its own with keys
/// of its own, or until the customer cancels, closes the page or takes too long. Only then does the app hear of it.
extension PaymentSheet {
    /// What is paid with, as the form of the page says it.
    package struct Choice: Hashable, Sendable {
        /// One of the account by ``name(of:in:)``, or a new one by its token; empty for what the account pays with.
        package let method: String
        /// Whether the account pays with it from then on.
        package let isRemembered: Bool

        package init(_ method: String, isRemembered: Bool = false) {
            self.method = method
            self.isRemembered = isRemembered
        }

        /// How a form calls something that the account has: tokens of real cards are on no page.
        package static func name(of method: PaymentMethod, in form: PaymentForm) -> String {
            form.isTest ? method.token : "card/\(method.id)"
        }
    }

    /// Says yes to what was shown.
    ///
    /// Gives what proves for a while that the account has shown its password, if it did so now.
    ///
    /// - Parameters:
    ///   - code: that of the purchase as it was shown; at another price it has another.
    ///   - password: that of the account, without which production sells nothing.
    ///   - isProven: whether the account has shown it on the page a moment ago.
    ///   - peer: whose page it is.
    package func confirm(
        _ token: String, code: String, password: String?, isProven: Bool, paidWith choice: Choice,
        from peer: PeerAddress, request: String?
    ) async throws -> String? {
        let id = try await id(of: token)
        let purchase = try await store.database.read { try Purchases.require(id, in: $0) }
        guard purchase.state == .confirmation else { return nil }
        let customer = try await payer(of: purchase)
        guard purchase.code == code else {
            throw ServiceError(.priceChanged, "the price has changed since the page was shown", parameter: "code")
        }
        let proof = try await requireProof(isProven, password, of: customer, and: code, for: purchase, from: peer)
        let method = try await method(choice, of: customer, for: purchase)
        _ = try await Checkout(store).confirm(
            id.sale, on: PagePayment(with: method), store.cause(.customer, request: request)
        ) { current, transaction in
            // The page says why nothing is sold then.
            try current.state == .confirmation && current.code == code && current.customer == customer
                && !Purchases.hasWhole(of: current, in: transaction)
                && Self.isSignedIn(customer, for: current, in: transaction)
        }
        return proof
    }

    /// Pays with another card after one was declined.
    ///
    /// - Parameter attempt: the one that was declined, as the page has it.
    package func payAgain(
        _ token: String, after attempt: Int, password: String?, isProven: Bool, with choice: Choice,
        from peer: PeerAddress, request: String?
    ) async throws -> String? {
        let id = try await id(of: token)
        let (purchase, charge) = try await store.database.read { transaction in
            (try Purchases.require(id, in: transaction), try Charges.find(id.sale.charge, in: transaction))
        }
        guard let charge, charge.rules.awaitsChoice, charge.rules.attempt == attempt else { return nil }
        let customer = try await payer(of: purchase)
        // A purchase that is being paid has no code any more.
        let proof = try await requireProof(isProven, password, of: customer, and: "", for: purchase, from: peer)
        let usual = try await methods(of: customer).last
        guard let method = try await method(choice, of: customer, for: purchase) ?? usual else {
            throw ServiceError(.noPaymentMethod, "the account has no payment method", parameter: "method")
        }
        _ = try await Checkout(store).payAgain(
            id.sale, after: attempt, with: method, store.cause(.customer, request: request))
        return proof
    }

    /// Whose purchase it is pays, whoever is signed in on the device by now.
    private func payer(of purchase: StoredPurchase) async throws -> CustomerID {
        let customer = try purchase.requireScope().customer
        guard try await store.database.read({ try Self.isSignedIn(customer, for: purchase, in: $0) }) else {
            throw ServiceError(.notSignedIn, "the account of this purchase is not signed in on its device any more")
        }
        return customer
    }

    /// Whether an account is signed in on the device of a purchase; what was asked for on a page has none.
    private static func isSignedIn(
        _ customer: CustomerID, for purchase: StoredPurchase, in transaction: any ReadTransaction
    ) throws -> Bool {
        guard let device = purchase.device else { return true }
        return try DeviceScope.of(device, in: transaction)?.customer == customer
    }

    /// Throws unless the account has shown its password, without which production sells nothing.
    private func requireProof(
        _ isProven: Bool, _ password: String?, of customer: CustomerID, and code: String, for purchase: StoredPurchase,
        from peer: PeerAddress
    ) async throws -> String? {
        guard store.environment == .production, !isProven else { return nil }
        guard let password, !password.isEmpty else {
            throw ServiceError(.valueMissing, "the password of the account", parameter: "password")
        }
        try await Accounts(store).require(
            password, of: customer, and: code, for: purchase, at: .page(peer, of: purchase.device))
        return try await proof(of: purchase.id, customer)
    }

    private func methods(of customer: CustomerID) async throws -> [PaymentMethod] {
        try await store.database.read { try Customers.paymentMethods(of: customer, in: $0) }
    }

    /// What is paid with; nil for what the account pays with.
    ///
    /// A card, new or not, is what the account pays with from then on only if that was asked for. What renews needs one that
    /// stays, so that the card of a subscription is the account's in any case, and the one that it pays with next.
    private func method(
        _ choice: Choice, of customer: CustomerID, for purchase: StoredPurchase
    ) async throws -> PaymentMethod? {
        guard !choice.method.isEmpty else { return nil }
        let (known, renews) = (try await methods(of: customer), purchase.item.kind == .autoRenewable)
        let own = known.last { Choice.name(of: $0, in: store.processor.form) == choice.method }
        if let own, own == known.last || !renews && !choice.isRemembered { return own }
        // Only what the page had to choose from: the means of others have names too.
        guard own != nil || store.processor.form.has(choice.method) else {
            throw ServiceError(.methodUnknown, "the page has no such means of payment", parameter: "method")
        }
        let (accounts, cause) = (Accounts(store), store.cause(.customer(customer)))
        let token = own?.token ?? choice.method
        guard renews || choice.isRemembered else { return try await accounts.useOnce(token, of: customer) }
        for former in known where former.token == token {
            try await accounts.removePaymentMethod(former.id, of: customer.description, cause)
        }
        let account = try await accounts.addPaymentMethod(
            token, label: own?.label, to: customer.description, cause)
        return account.methods.last
    }

    // MARK: Saying no

    /// Says no.
    package func cancel(_ token: String, request: String?) async throws {
        let id = try await id(of: token)
        let status = try await store.database.read { try SaleStatus.require(id.sale, in: $0) }
        // At the bank too; what the processor has been asked for is not taken back here.
        let isWaiting = status.charge.map { $0.state == .action || $0.rules.awaitsChoice } ?? false
        if isWaiting || status.purchase?.state.waitsForPerson == true {
            _ = try await Checkout(store).cancel(id.sale, store.cause(.customer, request: request))
        }
    }

    /// Nobody sees the sheet any more. To what it asks that is a no; what is being paid goes on.
    package func close(_ token: String, request: String?) async throws {
        try await Checkout(store).cancelUnanswered(
            id(of: token).sale, store.cause(.customer, request: request))
    }

    /// Does what the customer's bank asks for, or refuses it, where the bank is only played.
    package func act(_ token: String, completed: Bool) async throws {
        let id = try await id(of: token)
        let charge = try await store.database.read { try Charges.find(id.sale.charge, in: $0) }
        guard let charge, charge.state == .action, let reference = charge.rules.authorisation,
            let bank = store.processor.bank
        else { return }
        try await bank.act(on: reference, completed: completed)
        _ = try await ChargeDriver(store).look(after: id.sale.charge)
    }

    /// The image of its product.
    package func image(_ token: String) async throws -> ProductImage? {
        try await content(token).image
    }
}
