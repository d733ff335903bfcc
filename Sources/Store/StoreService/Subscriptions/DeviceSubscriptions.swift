import StoreCatalogue
import StoreDatabase
package import StoreModel

/// What a device is told of its customer besides transactions: how subscriptions stand, and the download of the app.
package struct DeviceSubscriptions: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// A subscription of the customer, whose payloads are for the device that asks and are not signed yet.
    package struct Told: Sendable {
        package let group: String
        package let status: WireSubscriptionStatus
        package let newest: StoreTransaction
        package let renewal: RenewalInfoPayload
    }

    /// Those of the customer who is signed in, in the app of the device.
    package func list(as token: DeviceToken) async throws -> (subscriptions: [Told], scope: DeviceScope) {
        let (store, clocks) = (store, store.clocks)
        let (found, scope, now) = try await store.read(as: token) { scope, transaction in
            let now = clocks.now(by: scope.clock).commerce
            return (
                try CustomerStanding.all(of: scope.requireCustomerScope(), at: now, in: transaction), scope, now
            )
        }
        var told: [Told] = []
        for one in found {
            var renewal = one.standing.renewalInfo(
                in: store.environment, appTransaction: scope.appTransaction, signedAt: now)
            if one.isOver {
                renewal.eligibleWinBackOfferIds = await OfferLookup(store).openWinBacks(
                    of: one.newest, one.newest.customerID, app: scope.bundle)
            }
            told.append(Told(group: one.group, status: one.standing.status, newest: one.newest, renewal: renewal))
        }
        return (told, scope)
    }

    /// The customer's download of the app; that of the device where nobody is signed in.
    package func appTransaction(
        as token: DeviceToken
    ) async throws -> (payload: AppTransactionPayload, scope: DeviceScope) {
        let (store, clocks) = (store, store.clocks)
        return try await store.read(as: token) { scope, transaction in
            let now = clocks.now(by: scope.clock).commerce
            let payload = try AppDownload.payload(of: scope, in: store.environment, at: now, transaction)
            return (payload, scope)
        }
    }

    /// Asks for money back for a transaction of the customer. Asking again before it is decided changes nothing.
    package func askForRefund(
        of id: TransactionID, because reason: RefundRequestReason, as token: DeviceToken, request: String?
    ) async throws {
        guard RefundRequestReason.known.contains(reason) else {
            let words = RefundRequestReason.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw ServiceError(.valueInvalid, "the reason is one of \(words)", parameter: "reason")
        }
        let number = try RefundRequestID(number: await store.numbers.next(.refundRequests))
        try await store.write(as: token, request: request) { scope, change in
            let sold = try Transactions.require(id, of: scope.requireCustomerScope(), in: change.transaction)
            _ = try RefundRequests.open(sold, because: reason, note: nil, as: number, change)
        }
    }
}
