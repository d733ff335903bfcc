import Foundation
package import StoreModel
import StoreSigning

extension RegisteredDevice {
    /// This device as the store knows it now.
    package func device() async throws(ConnectionError) -> DeviceAnswer {
        let answer: DeviceAnswer = try await ask(StoreRequest("GET", "/device"))
        keep(answer)
        return answer
    }

    package func products(_ identifiers: [String]) async throws(ConnectionError) -> ProductsAnswer {
        let request = ProductsRequest(productIds: identifiers)
        return try await ask(StoreRequest("POST", "/products", body: try Self.body(request)))
    }

    /// Opens a purchase, or finds the one that was opened with this key.
    func open(_ payment: JournalPayment) async throws(ConnectionError) -> PurchaseAnswer {
        var wanted = payment.payment
        if !paymentsMayAsk { wanted.simulatesAskToBuyInSandbox = false }
        return try await ask(
            StoreRequest("POST", "/purchases", key: payment.key.description, body: try Self.body(wanted.request)))
    }

    /// What a code is good for.
    func lookUp(_ code: String) async throws(ConnectionError) -> RedemptionAnswer {
        try await ask(StoreRequest("POST", "/redemptions", body: try Self.body(RedemptionRequest(code: code))))
    }

    /// A purchase; with a state, once it has another one.
    func show(
        _ key: PurchaseKey, otherThan state: PurchaseState? = nil
    ) async throws(ConnectionError) -> PurchaseAnswer {
        guard let state else { return try await ask(StoreRequest("GET", "/purchases/\(key)")) }
        let word = state.rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? state.rawValue
        return try await ask(
            StoreRequest(
                "GET", "/purchases/\(key)?wait=\(ConnectionLimits.news)&state=\(word)",
                wait: .seconds(ConnectionLimits.news)))
    }

    func confirm(
        _ key: PurchaseKey, _ confirmation: ConfirmationRequest
    ) async throws(ConnectionError) -> PurchaseAnswer {
        try await ask(
            StoreRequest(
                "POST", "/purchases/\(key)/confirmation", body: try Self.body(confirmation), isRepeatable: true))
    }

    func cancel(_ key: PurchaseKey) async throws(ConnectionError) -> PurchaseAnswer {
        try await ask(StoreRequest("POST", "/purchases/\(key)/cancellation", isRepeatable: true))
    }

    package func signIn(_ email: String, _ password: String) async throws(ConnectionError) {
        let request = SignInRequest(email: email, password: password)
        keep(try await ask(StoreRequest("POST", "/sign-in", body: try Self.body(request))))
    }

    func recoverPassword(_ email: String) async throws(ConnectionError) {
        let request = PasswordRecoveryRequest(email: email)
        _ = try await send(StoreRequest("POST", "/password-recovery", body: try Self.body(request)))
    }

    /// Signs out, and forgets everything of the customer.
    package func signOut() async throws(ConnectionError) {
        keep(try await ask(StoreRequest("POST", "/sign-out")))
        try? journal.forgetCustomer()
    }

    func events(after cursor: String, wait: Int) async throws(ConnectionError) -> EventsAnswer {
        let word = cursor.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? cursor
        return try await ask(
            StoreRequest("GET", "/events?after=\(word)&wait=\(wait)", wait: .seconds(wait)))
    }

    func transactions(after id: TransactionID?) async throws(ConnectionError) -> TransactionsAnswer {
        try await ask(StoreRequest("GET", id.map { "/transactions?after=\($0)" } ?? "/transactions"))
    }

    func finish(_ id: TransactionID) async throws(ConnectionError) {
        _ = try await send(StoreRequest("POST", "/transactions/\(id)/finish", isRepeatable: true))
    }

    /// Which of some transactions have hosted content. A store of before that has none.
    func hostedContents(_ ids: [TransactionID]) async throws(ConnectionError) -> [HostedContentAnswer] {
        do throws(ConnectionError) {
            let request = HostedContentsRequest(transactionIds: ids)
            let answer: HostedContentsAnswer = try await ask(
                StoreRequest("POST", "/contents", body: try Self.body(request), isRepeatable: true))
            return answer.contents
        } catch {
            guard error.status == 404 || error.code == "status_404" else { throw error }
            return []
        }
    }

    /// An address of content, good for a while.
    ///
    /// - Parameter version: nil for the newest.
    func contentLink(
        _ id: TransactionID, version: ContentVersion?
    ) async throws(ConnectionError) -> ContentLinkAnswer {
        try await ask(
            StoreRequest(
                "POST", "/transactions/\(id)/content", body: try Self.body(ContentLinkRequest(contentVersion: version)),
                isRepeatable: true))
    }

    /// The higher prices that the store waits for an answer to.
    func priceConsents() async throws(ConnectionError) -> [PriceConsentAnswer] {
        let answer: PriceConsentsAnswer = try await ask(StoreRequest("GET", "/price-consents"))
        return answer.consents
    }

    func answer(_ answer: JournalPriceConsents.Answer) async throws(ConnectionError) {
        let request = PriceConsentRequest(agrees: answer.agrees, askedAt: answer.increase.askedAt)
        _ = try await send(
            StoreRequest(
                "POST", "/price-consents/\(answer.increase.subscription)", body: try Self.body(request),
                isRepeatable: true))
    }

    /// How the customer's subscriptions stand.
    func subscriptions() async throws(ConnectionError) -> [SubscriptionStatusAnswer] {
        let answer: SubscriptionsAnswer = try await ask(StoreRequest("GET", "/subscriptions"))
        return answer.subscriptions
    }

    /// The download of the app, as the store signs it for this device.
    func appTransaction() async throws(ConnectionError) -> String {
        let answer: AppTransactionAnswer = try await ask(StoreRequest("GET", "/app-transaction"))
        return answer.signedAppTransaction
    }

    /// Asks for money back for a transaction.
    func askForRefund(of id: TransactionID, because reason: RefundRequestReason) async throws(ConnectionError) {
        let request = RefundWishRequest(reason: reason)
        _ = try await send(
            StoreRequest(
                "POST", "/transactions/\(id)/refund-request", body: try Self.body(request), isRepeatable: true))
    }

    /// Opens a page of the store.
    func openVisit(_ request: VisitRequest) async throws(ConnectionError) -> VisitAnswer {
        try await ask(StoreRequest("POST", "/visits", body: try Self.body(request)))
    }

    /// How a visit stands, at once if it is over, else when it ends or after a while.
    func visit(_ id: VisitID, wait: Int) async throws(ConnectionError) -> VisitStateAnswer {
        try await ask(StoreRequest("GET", "/visits/\(id)?wait=\(wait)", wait: .seconds(wait)))
    }

    func closeVisit(_ id: VisitID) async throws(ConnectionError) -> VisitStateAnswer {
        try await ask(StoreRequest("POST", "/visits/\(id)/closing", isRepeatable: true))
    }

    /// A page of what a restore brings back.
    ///
    /// - Parameter id: what the page before said is the next; nil for the first page.
    func restore(after id: TransactionID?) async throws(ConnectionError) -> RestorationAnswer {
        try await ask(StoreRequest("POST", id.map { "/restorations?after=\($0)" } ?? "/restorations"))
    }

    func receipt(_ properties: ReceiptProperties) async throws(ConnectionError) -> ReceiptAnswer {
        let wanted = [
            ("expired", properties.isExpired), ("revoked", properties.isRevoked),
            ("volumePurchase", properties.isVolumePurchase),
        ].filter(\.1).map { "\($0.0)=true" }.joined(separator: "&")
        return try await ask(StoreRequest("GET", wanted.isEmpty ? "/receipt" : "/receipt?\(wanted)"))
    }

    /// The receipts of transactions, as far as the store has them.
    func receipts(of ids: [TransactionID]) async throws(ConnectionError) -> [TransactionReceiptAnswer] {
        let body = try Self.body(ReceiptsRequest(transactionIds: ids))
        let answer: ReceiptsAnswer = try await ask(StoreRequest("POST", "/receipts", body: body, isRepeatable: true))
        return answer.receipts
    }
}

// MARK: Registration

extension RegisteredDevice {
    /// Makes the device known, or gets it a new token; for ``register(unless:)``, which keeps others from it meanwhile.
    func register() async throws(ConnectionError) {
        do throws(ConnectionError) {
            try await register(at: wall())
        } catch {
            guard error.refusal == .registrationRefused else { throw error }
            switch error.parameter {
            case "signedAt"?:
                // The clock of the device is wrong: the store's own says when it is.
                guard let time = error.storeTime else { throw error }
                try await register(at: time)
            case "signature"?:
                // A signature is good once, and something on the way may have repeated the request.
                try await register(at: wall())
            default: throw error
            }
        }
    }

    private func register(at time: Instant) async throws(ConnectionError) {
        let preferences = preferences()
        let request = StoreRequest("POST", "/devices", body: try Self.body(try registration(preferences, at: time)))
        let answer: DeviceAnswer = try Self.decode(try await exchange(request).body)
        guard let token = answer.token, let expires = answer.tokenExpires, answer.bundleId == profile.bundle,
            answer.environment == profile.content.environment
        else {
            throw ConnectionError(.malformed, code: "answer_malformed", "The store's answer is not for this app.")
        }
        // The life of the token is counted by our clock, which may be another than the store's.
        let life = expires.millisecondsSinceEpoch - time.millisecondsSinceEpoch
        do {
            var values: [JournalProperty: String?] = [
                .token: token, .tokenExpires: String(wall().millisecondsSinceEpoch + life),
            ]
            if try journal.value(.signOuts) == nil { values[.signOuts] = String(preferences.signOuts) }
            try journal.set(values)
        } catch {
            throw ConnectionError(
                .unreachable(mayHaveHappened: false), code: "journal", "The journal cannot be written: \(error).",
                storeKitCode: SessionFailure.internalCode)
        }
        keep(answer)
    }

    private func registration(
        _ preferences: DevicePreferences, at time: Instant
    ) throws(ConnectionError) -> DeviceRegistrationRequest {
        do {
            var request = DeviceRegistrationRequest(
                profile: profile.text, bundleId: profile.bundle,
                publicKey: Base64.encode(try identity.key.publicKey.derRepresentation),
                signature: "", signedAt: time,
                deviceIdentifier: identity.device.uuidString.lowercased(),
                vendorIdentifier: identity.vendor.uuidString.lowercased(), appVersion: description.appVersion,
                language: preferences.language ?? description.language, storefront: description.storefront,
                isSimulator: preferences.isSimulator)
            let statement = request.statement(in: profile.content.environment)
            request.signature = Base64.encode(try identity.key.signature(for: statement.utf8))
            return request
        } catch {
            throw ConnectionError(
                .unreachable(mayHaveHappened: false), code: "signing", "The registration cannot be signed: \(error)",
                storeKitCode: SessionFailure.internalCode)
        }
    }

    /// What the person has set since the store was told last.
    func tellPreferences() async throws(ConnectionError) {
        let preferences = preferences()
        _ = try await token(replacing: nil)
        if let answer, answer.isSimulator != preferences.isSimulator {
            try await register { self.answer?.isSimulator == preferences.isSimulator }
        }
        if answer == nil { _ = try await device() }
        let seen = (try? journal.value(.signOuts)).flatMap { $0.flatMap { Int($0) } } ?? 0
        if seen < preferences.signOuts {
            try await signOut()
            try? journal.set([.signOuts: String(preferences.signOuts)])
        }
        let language = preferences.language ?? description.language
        guard let answer, answer.language != language || answer.purchasesAllowed != preferences.purchasesAllowed
        else { return }
        let settings = DeviceSettings(purchasesAllowed: preferences.purchasesAllowed, language: language)
        keep(try await ask(StoreRequest("PATCH", "/device", body: try Self.body(settings))))
    }
}
