import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules
import StoreSigning

/// The page of a visit, by the secret in its address.
extension Visits {
    /// The secret of a visit.
    package func token(of id: VisitID) async throws -> String {
        let code = try await store.pageSecret.code(of: "visit \(id)".utf8)
        return "\(id)-\(Base64.encode(Array(code.prefix(Self.codeBytes)), .url))"
    }

    /// The secret of the visit on whose page something is being bought, or was; nil where that is none.
    func token(buying purchase: PurchaseID) async throws -> String? {
        let found = try await store.database.lookUp { transaction in
            try transaction.optional(
                "SELECT id FROM app_visit WHERE purchase_id = $1 ORDER BY id DESC LIMIT 1", purchase
            ) { try $0.value(0, as: VisitID.self) }
        }
        guard let found else { return nil }
        return try await token(of: found)
    }

    private static let codeBytes = 18

    private func id(of token: String) async throws -> VisitID {
        guard let hyphen = token.firstIndex(of: "-"), let id = VisitID(String(token[..<hyphen])),
            SecretComparison.areEqual(Array(token.utf8), Array(try await self.token(of: id).utf8))
        else { throw ServiceError.noVisit }
        return id
    }

    /// A visit as its page sees it.
    package struct Shown: Sendable {
        package let visit: StoreVisit
        package let state: VisitState
        /// The device on which the app runs.
        package let scope: DeviceScope
        /// The number of the app that shows the page. On the app's own page its products are chosen, and the app sells them.
        package var app: AppID { visit.app }

        /// Who buys on the page: the customer who is signed in on the device. Good for purchases alone, to which the customer
        /// says yes; the app knows the secret too.
        package var buyer: WebScope? {
            scope.customer.map { WebScope(customer: $0, storefront: scope.storefront) }
        }
    }

    /// The visit of a secret, over or not.
    package func find(_ token: String) async throws -> Shown {
        let (id, wall) = (try await id(of: token), store.clocks.wall())
        return try await store.database.lookUp { transaction in
            let visit = try StoreVisit.require(id, in: transaction)
            return Shown(
                visit: visit, state: try Self.state(of: visit, at: wall, in: transaction),
                scope: try Self.scope(of: visit, in: transaction))
        }
    }

    /// The visit of a secret, while its page may be shown.
    package func require(_ token: String) async throws -> Shown {
        let found = try await find(token)
        guard found.state == .open else { throw Self.over }
        return found
    }

    private static let over = ServiceError(.tooLate, "the app does not show this page any more")

    private static func scope(of visit: StoreVisit, in transaction: any ReadTransaction) throws -> DeviceScope {
        guard let scope = try DeviceScope.of(visit.device, in: transaction) else { throw ServiceError.noVisit }
        return scope
    }

    /// The link of the page of a visit, in the storefront of its device; nil if the store does not show the item any more.
    package func link(to shown: Shown) async throws -> StoreLink? {
        try await subject(shown.visit.storeID, for: shown.scope)?.link
    }

    /// The person has seen enough. Saying it again changes nothing.
    package func done(_ token: String, request: String?) async throws {
        try await change(token, request) { visit, change in
            _ = try Self.finish(visit, .closed, in: change)
        }
    }

    /// Nobody sees the page any more. That ends it, unless something is being bought: the payment sheet is another page.
    package func leave(_ token: String, request: String?) async throws {
        try await change(token, request) { visit, change in
            let purchase = try visit.purchase.flatMap { try Purchases.find($0, in: change.transaction) }
            guard purchase?.state.isFinal ?? true else { return }
            _ = try Self.finish(visit, .closed, in: change)
        }
    }

    /// The person wants a product of the app that shows the page, of no other app. The app decides whether it is bought, as with every purchase
    /// that is begun outside the app.
    package func choose(_ product: ProductID, at token: String, request: String?) async throws {
        let shown = try await require(token)
        let found = try await ProductLookup(store).listings([product.text], for: shown.scope)
        _ = try ProductLookup(store).item(product.text, quantity: 1, among: found, in: shown.scope.storefront)
        try await change(token, request) { visit, change in
            guard try Self.state(of: visit, at: change.wall, in: change.transaction) == .open else { throw Self.over }
            _ = try Self.finish(visit, .chosen, choosing: product, in: change)
        }
    }

    /// Notes what the person is buying on the page: the app hears that the page is over once it is bought.
    package func note(_ purchase: PurchaseID, at token: String, request: String?) async throws {
        try await change(token, request) { known, change in
            guard try Self.state(of: known, at: change.wall, in: change.transaction) == .open else { return }
            var visit = known
            visit.note(purchase)
            try change.transaction.update(visit, from: known, in: StoreVisit.table)
            try change.transaction.signal(Signal(.visits, subject: visit.id.description))
        }
    }

    private func change(
        _ token: String, _ request: String?, _ body: @escaping @Sendable (StoreVisit, Change) throws -> Void
    ) async throws {
        let (id, cause) = (try await id(of: token), store.cause(.customer, request: request))
        try await store.database.write { transaction in
            let visit = try StoreVisit.require(id, in: transaction)
            let customer = try Self.scope(of: visit, in: transaction).customer
            try body(visit, cause.change(of: customer, in: transaction))
        }
    }
}
