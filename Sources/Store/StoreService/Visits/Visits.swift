import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// Pages of the store that apps show: each is a visit, which the device opens and the page in a browser belongs to by a secret in
/// its address.
///
/// The secret is known to the app too, which made the page open. So it stands for the app's right to show the page, and to have
/// something bought in the name of the customer of the device, to which the customer says yes on the page of the purchase as to
/// any other. What a customer says and has elsewhere in the store, reviews and the library, needs a sign-in in the browser.
package struct Visits: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    // MARK: On the device

    /// A visit that was opened, with what its page is about.
    package struct Opened: Sendable {
        package let visit: StoreVisit
        /// The secret in the address of the page.
        package let token: String
        package let subject: Subject
        package let scope: DeviceScope
    }

    /// Opens a visit of an item, whose number an app knows.
    ///
    /// What is no number is refused with the reason; of a bundle id the refusal names the number that was meant.
    package func open(_ wanted: VisitRequest, as token: DeviceToken, request: String?) async throws -> Opened {
        let scope = try await store.scope(of: token)
        let storeID = try await number(wanted.itemId)
        let product = try Self.product(wanted.productId)
        guard let subject = try await subject(storeID, for: scope) else {
            throw ServiceError(
                .itemUnknown, "the store has no item \(storeID), or does not show it", parameter: "itemId")
        }
        let id = try VisitID(number: await store.numbers.next(.visits))
        let visit = try await store.write(as: token, request: request) { scope, change in
            try StoreVisit.makeRoom(on: scope.device, at: change.wall, in: change.transaction)
            let visit = StoreVisit(id: id, by: scope, of: storeID, beginningWith: product, at: change.wall)
            try change.transaction.insert(visit, into: StoreVisit.table)
            return visit
        }
        return Opened(visit: visit, token: try await self.token(of: visit.id), subject: subject, scope: scope)
    }

    /// The number of an item, as an app has it.
    private func number(_ text: String) async throws -> Int64 {
        do throws(InvalidValue) {
            return try StoreLink.storeID(in: text)
        } catch {
            var reason = "the \(error.subject) \(error.rule)"
            if let bundle = BundleID(text), let app = try await app(bundle) {
                reason = "\(bundle) is a bundle id; the number of this app in the store is \(app.id)"
            }
            throw ServiceError(.valueInvalid, reason, parameter: "itemId")
        }
    }

    private func app(_ bundle: BundleID) async throws -> CatalogueApp? {
        try await store.catalogue.lookUp { try Catalogue.app(bundle, in: $0) }
    }

    private static func product(_ text: String?) throws -> ProductID? {
        guard let text else { return nil }
        guard let product = ProductID(text) else {
            throw ServiceError(.valueInvalid, "this is no id of a product", parameter: "productId")
        }
        return product
    }

    /// How a visit stands.
    ///
    /// - Parameter wait: how long to wait while it is open.
    package func state(
        of id: VisitID, as token: DeviceToken, waitingUpTo wait: Duration = .zero
    ) async throws -> VisitStateAnswer {
        let found = try await look(id, as: token)
        guard wait > .zero, found.answer.state == .open else { return found.answer }
        let lookAgain = { () async throws -> VisitStateAnswer? in
            let found = try await look(id, as: token, countsAsSeen: false)
            return found.answer.state == .open ? nil : found.answer
        }
        let waiters = store.waiters
        // While something is being bought, that is what ends the visit.
        let ended =
            if let purchase = found.purchase {
                try await waiters.wait(
                    for: purchase.description, on: .purchases, upTo: min(wait, Self.purchaseWait), look: lookAgain)
            } else {
                try await waiters.wait(for: id.description, on: .visits, upTo: wait, look: lookAgain)
            }
        return ended ?? found.answer
    }

    /// How long a request waits for a purchase on the page; what else ends the visit is seen then.
    private static let purchaseWait = Duration.seconds(5)

    private func look(
        _ id: VisitID, as token: DeviceToken, countsAsSeen: Bool = true
    ) async throws -> (answer: VisitStateAnswer, purchase: PurchaseID?) {
        let wall = store.clocks.wall()
        return try await store.lookUp(as: token, countsAsSeen: countsAsSeen) { scope, transaction in
            let visit = try StoreVisit.require(id, of: scope, in: transaction)
            let state = try Self.state(of: visit, at: wall, in: transaction)
            return (VisitStateAnswer(visitId: id, state: state, productId: visit.chosen), visit.purchase)
        }
    }

    /// How a visit stands: it has ended too once what was bought on the page is paid, and nothing that happens after that is another
    /// end.
    static func state(
        of visit: StoreVisit, at wall: Instant, in transaction: any ReadTransaction
    ) throws -> VisitState {
        let state = visit.state(at: wall)
        guard state != .chosen, let purchase = visit.purchase else { return state }
        return try Purchases.find(purchase, in: transaction)?.state == .purchased ? .bought : state
    }

    /// Ends a visit whose page the app has taken away, or in whose place the person saw the item elsewhere. Ending it again
    /// changes nothing.
    package func close(_ id: VisitID, as token: DeviceToken, request: String?) async throws -> VisitStateAnswer {
        try await store.write(as: token, request: request) { scope, change in
            let visit = try Self.finish(
                StoreVisit.require(id, of: scope, in: change.transaction), .closed, in: change)
            let state = try Self.state(of: visit, at: change.wall, in: change.transaction)
            return VisitStateAnswer(visitId: id, state: state, productId: visit.chosen)
        }
    }

    static func finish(
        _ known: StoreVisit, _ end: VisitState, choosing product: ProductID? = nil, in change: Change
    ) throws -> StoreVisit {
        guard try state(of: known, at: change.wall, in: change.transaction) == .open else { return known }
        var visit = known
        visit.finish(end, choosing: product, at: change.wall)
        guard visit != known else { return known }
        try change.transaction.update(visit, from: known, in: StoreVisit.table)
        try change.transaction.signal(Signal(.visits, subject: visit.id.description))
        return visit
    }
}
