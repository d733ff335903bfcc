import Foundation
package import StoreModel

extension RegisteredDevice {
    /// How the store knows this device now.
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
        let request = PurchaseRequest(
            productId: payment.product, quantity: payment.quantity, appAccountToken: payment.accountToken)
        return try await ask(
            StoreRequest("POST", "/purchases", key: payment.key.description, body: try Self.body(request)))
    }

    /// How a purchase stands; if it stands as is known, once it stands otherwise.
    func show(
        _ key: PurchaseKey, otherThan state: String? = nil
    ) async throws(ConnectionError) -> PurchaseAnswer {
        guard let state else { return try await ask(StoreRequest("GET", "/purchases/\(key)")) }
        let word = state.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? state
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

    func restore() async throws(ConnectionError) -> RestorationAnswer {
        try await ask(StoreRequest("POST", "/restorations"))
    }

    func receipt(_ properties: ReceiptProperties) async throws(ConnectionError) -> ReceiptAnswer {
        let wanted = [
            ("expired", properties.isExpired), ("revoked", properties.isRevoked),
            ("volumePurchase", properties.isVolumePurchase),
        ].filter(\.1).map { "\($0.0)=true" }.joined(separator: "&")
        return try await ask(StoreRequest("GET", wanted.isEmpty ? "/receipt" : "/receipt?\(wanted)"))
    }

    func receipt(of id: TransactionID) async throws(ConnectionError) -> ReceiptAnswer {
        try await ask(StoreRequest("GET", "/transactions/\(id)/receipt"))
    }
}
