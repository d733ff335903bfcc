import StoreDatabase
package import StoreModel

/// What a device has of its customer's transactions in its app: those that it may deliver, which it takes for itself where
/// another device could have them.
package struct DeviceTransactions: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// The most transactions of one page.
    package static let page = 200

    /// Some of the transactions.
    package struct Page: Sendable {
        package let transactions: [Transactions.Listed]
        package let hasMore: Bool
        /// The place in the events of the customer after which everything follows that this page does not tell.
        package let cursor: EventCursor
        package let scope: DeviceScope
    }

    /// The transactions after one, the oldest first, as they stand now.
    ///
    /// What is free is held by the device from now on, and so is what another device lets go of later: that is told by an event.
    package func list(
        _ selection: Transactions.Selection, after id: TransactionID?, as token: DeviceToken
    ) async throws -> Page {
        var found = try await read(selection, after: id, as: token)
        let toTake = found.listed.filter(\.isFree).map(\.transaction.id) + found.elsewhere
        if !toTake.isEmpty {
            let patience = store.policy.patience
            try await store.write(as: token) { scope, change in try DeviceHold.take(toTake, on: scope, patience, change)
            }
            // Another device may have been faster.
            found = try await read(selection, after: id, as: token)
            found.listed.removeAll(where: \.isFree)
        }
        return Page(
            transactions: Array(found.listed.prefix(Self.page)), hasMore: found.listed.count > Self.page,
            cursor: found.cursor, scope: found.scope)
    }

    private struct Found: Sendable {
        var listed: [Transactions.Listed]
        /// What other devices have for themselves.
        let elsewhere: [TransactionID]
        let cursor: EventCursor
        let scope: DeviceScope
    }

    private func read(
        _ selection: Transactions.Selection, after id: TransactionID?, as token: DeviceToken
    ) async throws -> Found {
        let silentSince = store.clocks.wall() - store.policy.patience
        return try await store.read(as: token) { scope, transaction in
            let owner = try scope.requireCustomerScope()
            let listed = try Transactions.list(
                selection, of: owner, on: scope.device, silentSince: silentSince, after: id, limit: Self.page + 1,
                in: transaction)
            // The events after this page tell of it only if it is offered then.
            let elsewhere =
                id == nil
                ? try DeviceHold.elsewhere(for: owner, on: scope.device, silentSince: silentSince, in: transaction) : []
            return Found(
                listed: listed, elsewhere: elsewhere, cursor: try CustomerEvents.end(of: owner, in: transaction),
                scope: scope)
        }
    }

    /// Notes that the customer got what a transaction stands for. A repetition changes nothing.
    package func finish(_ id: TransactionID, as token: DeviceToken) async throws {
        try await store.write(as: token) { scope, change in
            try Transactions.finish(id, of: scope.requireCustomerScope(), on: scope.device, change)
        }
    }

    /// What the customer is entitled to now: the newest transaction of each item.
    package func entitlements(
        as token: DeviceToken
    ) async throws -> (transactions: [StoreTransaction], scope: DeviceScope) {
        let clocks = store.clocks
        return try await store.read(as: token) { scope, transaction in
            let commerce = clocks.now(by: scope.clock).commerce
            return (
                try Transactions.entitlements(of: scope.requireCustomerScope(), at: commerce, in: transaction), scope
            )
        }
    }
}
