import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules

/// What goes wrong on purpose in a sandbox, as those decide it who test against it. Production refuses all of it.
package struct FaultEditing: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// All faults, in the order in which they were added.
    package func list() async throws -> [Fault] {
        _ = try faults()
        return try await store.database.read { try Fault.all(in: $0) }
    }

    /// Lets something go wrong from now on.
    package func add(_ terms: FaultTerms, _ cause: ChangeCause) async throws -> Fault {
        try cause.require(.customers)
        let faults = try faults()
        try Self.check(terms)
        let app = try await app(terms.bundleId)
        let added = try await store.database.write { transaction in
            var kept = terms
            let customer = try terms.customer.map { try Customers.named($0, in: transaction) }
            // The address may become another one.
            kept.customer = customer?.id.description
            let added = try Fault.insert(kept, of: app, customer?.id, cause.change(of: nil, in: transaction))
            try transaction.signal(.init(.faults, subject: added.id.description))
            return added
        }
        try await faults.load()
        return added
    }

    /// Takes a fault away.
    package func remove(_ id: FaultID, _ cause: ChangeCause) async throws {
        guard try await clear(id, cause) > 0 else {
            throw ServiceError(.nameUnknown, "there is no fault \(id)", parameter: "fault")
        }
    }

    /// Takes all faults away; gives how many there were.
    package func clear(_ cause: ChangeCause) async throws -> Int { try await clear(nil, cause) }

    private func clear(_ id: FaultID?, _ cause: ChangeCause) async throws -> Int {
        try cause.require(.customers)
        let faults = try faults()
        let count = try await store.database.write { transaction in
            let change = try cause.change(of: nil, in: transaction)
            let count = try Fault.remove(id, in: change.transaction)
            try transaction.signal(.init(.faults, subject: id?.description ?? "all"))
            return count
        }
        try await faults.load()
        return count
    }

    private func faults() throws -> Faults {
        guard let faults = store.faults else {
            throw ServiceError(.sandboxOnly, "nothing goes wrong on purpose in production; the sandbox has faults")
        }
        return faults
    }

    private static func check(_ terms: FaultTerms) throws {
        guard case .status(let status, _)? = try FaultRule(terms).effect, status >= 1_000_000 else { return }
        guard ServerAPIError.Code(number: status) != nil else {
            throw ServiceError(
                .valueInvalid, "the App Store Server API has no error \(status)", parameter: "status")
        }
    }

    private func app(_ bundle: BundleID?) async throws -> AppID? {
        guard let bundle else { return nil }
        guard let app = try await store.catalogue.lookUp({ try Catalogue.app(bundle, in: $0) }) else {
            throw ServiceError(.appUnknown, "the store has no app \(bundle)", parameter: "bundleId")
        }
        return app.id
    }
}
