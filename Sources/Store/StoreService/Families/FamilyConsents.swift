import StoreCatalogue
import StoreDatabase
package import StoreModel

/// Whether a family lets its children use an app: the organiser withdraws a consent, and gives it again.
///
/// The developer is told of a withdrawal, to end what the child does in the app. The store sells the child nothing there from
/// then on; what is owned stays, and subscriptions go on until somebody turns them off. A child that leaves the family is
/// asked nothing any more.
package struct FamilyConsents: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Withdraws the consent to a child's use of an app. Where that was done already nothing changes.
    package func withdraw(from name: String, for bundle: BundleID, _ cause: ChangeCause) async throws -> Family {
        try await change(name, bundle, cause) { [environment = store.environment] app, child, change in
            let transaction = change.transaction
            guard let download = try AppDownload.find(of: child, app: app.id, in: transaction) else {
                throw ServiceError(
                    .stateWrong,
                    "the child has bought nothing in \(bundle), and was signed in on no device with it, so there is nothing "
                        + "to withdraw",
                    parameter: "bundleId")
            }
            let isNew = try transaction.insertIfNew(
                into: "consent_withdrawal",
                [
                    "customer_id": child, "app_id": app.id, "bundle_id": bundle, "at": change.wall,
                    "actor": change.actor.text,
                ])
            guard isNew else { return nil }
            try Notifications.append(
                .rescindConsent, about: NotificationSubject(app: app.id, customer: child), change
            ) {
                var content = NotificationContent(bundleId: bundle)
                content.appAppleId = environment == .production ? app.id : nil
                content.appTransaction = try download.payload(
                    of: bundle, in: environment, at: change.commerce, transaction)
                return content
            }
            return "withdrawn"
        }
    }

    /// Gives a consent again, of which no developer is told. Where none was withdrawn nothing changes.
    package func give(to name: String, for bundle: BundleID, _ cause: ChangeCause) async throws -> Family {
        try await change(name, bundle, cause) { app, child, change in
            let count = try change.transaction.execute(
                "DELETE FROM consent_withdrawal WHERE customer_id = $1 AND app_id = $2", child, app.id)
            return count == 0 ? nil : "given"
        }
    }

    /// Changes a consent, and notes the word that the change gives; nil for none.
    private func change(
        _ name: String, _ bundle: BundleID, _ cause: ChangeCause,
        _ body: @escaping @Sendable (CatalogueApp, CustomerID, Change) throws -> String?
    ) async throws -> Family {
        guard let app = try await store.catalogue.lookUp({ try Catalogue.app(bundle, in: $0) }) else {
            throw ServiceError(.appUnknown, "the store has no app \(bundle)", parameter: "bundleId")
        }
        return try await store.database.write { transaction in
            let child = try Customers.inUse(name, in: transaction).id
            let family = try Families.require(of: child, in: transaction)
            guard family[child]?.role == .child else {
                throw ServiceError(
                    .notAllowed, "a family consents to what its children use, and this is none", parameter: "customer")
            }
            let change = try cause.change(of: child, in: transaction)
            // What the child buys at this moment comes before or after this.
            try Customers.claim(child, in: transaction)
            guard let word = try body(app, child, change) else { return family }
            try Self.count(child, in: transaction)
            try Families.record("consent", of: child, in: family.id, detail: "\(word) \(bundle)", change)
            try CustomerEvents.wake(child, in: transaction)
            return try Families.require(of: child, in: transaction)
        }
    }

    // MARK: Rows

    private static func count(_ child: CustomerID, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            UPDATE customer SET withdrawn_consents = (
                SELECT count(*) FROM consent_withdrawal WHERE customer_id = $1) WHERE id = $1
            """, child)
    }

    /// Forgets what was withdrawn from a child that leaves its family.
    static func forget(_ child: CustomerID, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM consent_withdrawal WHERE customer_id = $1", child)
        try count(child, in: transaction)
    }

    static func isWithdrawn(
        from customer: CustomerID, for app: AppID, in transaction: any ReadTransaction
    ) throws -> Bool {
        try transaction.value(
            "SELECT count(*) FROM consent_withdrawal WHERE customer_id = $1 AND app_id = $2", customer, app,
            as: Int.self) > 0
    }

    /// The same of several.
    static func withdrawn(
        fromAll children: [CustomerID], in transaction: any ReadTransaction
    ) throws -> [CustomerID: [BundleID]] {
        let found = try transaction.query(
            """
            SELECT customer_id, bundle_id FROM consent_withdrawal WHERE customer_id IN \(.numbers) ORDER BY bundle_id
            """, of: children
        ) { (try $0.value(0, as: CustomerID.self), try $0.value(1, as: BundleID.self)) }
        return Dictionary(grouping: found, by: \.0).mapValues { $0.map(\.1) }
    }

    /// The apps that a child may not use any more.
    static func withdrawn(from child: CustomerID, in transaction: any ReadTransaction) throws -> [BundleID] {
        try transaction.query(
            "SELECT bundle_id FROM consent_withdrawal WHERE customer_id = $1 ORDER BY bundle_id", child
        ) { try $0.value(0) }
    }
}
