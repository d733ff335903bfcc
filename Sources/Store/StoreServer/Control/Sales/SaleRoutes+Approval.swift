import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

extension SaleRoutes {
    /// Says yes or no to a purchase by its code. Where nobody is signed in on the device, the account that is named is.
    func approve(_ request: HTTPRequest) async throws -> HTTPResponse {
        let order = try request.decode(ApprovalRequest.self)
        guard let code = Confirmation.code(typed: order.code) else {
            throw APIError(
                .badRequest, code: "value_invalid", "A code has eight letters, none of them a vowel, as in BDFG-HJKM.",
                parameter: "code")
        }
        let waiting = try await store.database.read { transaction in
            guard let found = try Purchases.find(code: code, in: transaction) else {
                throw ServiceError(
                    .codeUnknown, "no purchase waits under this code; it may be over, or was answered already",
                    parameter: "code")
            }
            return found
        }
        if waiting.state == .signIn, order.isApproved ?? true {
            guard let name = order.customer else {
                throw ServiceError(
                    .notSignedIn, "nobody is signed in on the device of this purchase; name the account it is for",
                    parameter: "customer")
            }
            try await signIn(name, for: waiting, request)
        } else if let name = order.customer {
            let named = try await store.database.read { try Customers.named(name, in: $0).id }
            guard waiting.customer == named else {
                throw ServiceError(
                    .notAllowed, "somebody else is signed in on the device of this purchase", parameter: "customer")
            }
        }
        let isApproved = order.isApproved ?? true
        let changed = try await purchases.handle(request: request.name) { transaction, times in
            var current = try Purchases.require(waiting.id, in: transaction)
            if current.state.isFinal { return (current, nil) }
            guard isApproved else { return (current, .cancelled) }
            // A yes that is repeated is no word on what interrupted the purchase.
            if current.state == .interrupted { return (current, nil) }
            let event = try Purchases.confirmation(of: &current, at: times, in: transaction)
            return (current, event)
        }
        return try .json(try await report(changed))
    }

    private func signIn(_ name: String, for waiting: StoredPurchase, _ request: HTTPRequest) async throws {
        let (customer, scope, others) = try await store.database.read { transaction in
            let customer = try Customers.inUse(name, in: transaction)
            guard let scope = try DeviceScope.of(waiting.device, in: transaction) else {
                throw ServiceError(.deviceUnknown, "the device of this purchase is gone")
            }
            return (customer, scope, try Purchases.waitingForSignIn(on: scope, in: transaction))
        }
        try await SignIn(store).signIn(customer, on: scope, waiting: others, request: request.name)
    }
}
