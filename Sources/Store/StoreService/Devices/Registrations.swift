import StoreCatalogue
import StoreDatabase
package import StoreModel

/// Making devices known, and what a person sets there.
package struct Registrations: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// A device with the token that opens everything else.
    package struct Registered: Sendable {
        package let scope: DeviceScope
        package let token: DeviceToken
        package let isNew: Bool
    }

    /// Makes an app on a device known, or gives it a new token.
    package func register(_ request: RegistrationRequest, profile: String) async throws -> Registered {
        let wall = store.clocks.wall()
        try request.requireProof(at: wall)
        let revision = try ProfileJudge(store.environment, verifier: store.signers.jwsVerifier).revision(
            of: profile, for: request.bundle)
        guard let app = try await store.catalogue.read({ try Catalogue.app(request.bundle, in: $0) }), !app.isShelf
        else {
            throw ServiceError(.appUnknown, "the store has no app \(request.bundle)", parameter: "bundleId")
        }
        let drawn = Devices.Drawn(
            id: try DeviceID(number: await store.numbers.next(.devices)),
            appTransaction: try AppTransactionID(
                number: await store.numbers.next(.appTransactions(of: store.environment))),
            token: try DeviceToken(random: store.random))
        let scope = try await store.database.write {
            try request.useUp(at: wall, in: $0)
            return try Devices.register(request, app: app.id, profileRevision: revision, drawn, at: wall, in: $0)
        }
        return Registered(scope: scope, token: drawn.token, isNew: scope.device == drawn.id)
    }

    /// Keeps what a person sets on the device; nil leaves it as it is.
    package func set(
        purchasesAllowed: Bool?, language: String?, as token: DeviceToken
    ) async throws -> DeviceScope {
        if let language {
            guard (1...RegistrationRequest.longestText).contains(language.utf8.count),
                language.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw ServiceError(.valueInvalid, "a language is written as in en-US", parameter: "language") }
        }
        return try await store.write(as: token) { scope, change in
            try Devices.set(
                purchasesAllowed: purchasesAllowed, language: language, of: scope, in: change.transaction)
        }
    }

    /// Moves a device to another storefront; in the sandbox the account moves with it.
    package func setStorefront(_ code: StorefrontCode, as token: DeviceToken) async throws -> DeviceScope {
        // A customer of production lives where the account says, which an app does not change.
        let isProduction = store.environment == .production
        return try await store.write(as: token) { scope, change in
            let storefront = try code.known()
            if isProduction, scope.customer != nil {
                throw ServiceError(
                    .sandboxOnly, "in production the storefront of an account is changed by its owner, not by an app")
            }
            return try Devices.setStorefront(storefront, of: scope, in: change.transaction)
        }
    }
}

/// Devices as the operator looks after them.
package struct OperatorDevices: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    package func device(_ id: DeviceID) async throws -> DeviceRecord {
        try await store.database.read { try DeviceRecord.find(id, in: $0) }
    }

    /// The hash of the token that a device shows.
    package func bearer(of id: DeviceID) async throws -> [UInt8]? {
        try await store.database.read { transaction in
            _ = try DeviceRecord.find(id, in: transaction)
            return try DeviceRecord.bearer(of: id, in: transaction)
        }
    }

    /// Devices after one, in the order in which they registered; of the customer of a number or an address, if one is named.
    package func list(of name: String?, after id: DeviceID?, limit: Int) async throws -> [DeviceRecord] {
        try await store.database.read { transaction in
            let customer = try name.map { try Customers.named($0, in: transaction).id }
            return try DeviceRecord.list(of: customer, after: id, limit: limit, in: transaction)
        }
    }

    /// Changes what a device may do; nil leaves it as it is.
    package func change(_ id: DeviceID, purchasesAllowed: Bool?, isSimulator: Bool?, _ cause: ChangeCause)
        async throws -> DeviceRecord
    {
        try cause.require(.customers)
        return try await store.database.write { transaction in
            _ = try DeviceRecord.find(id, in: transaction)
            if let purchasesAllowed {
                try DeviceRecord.setPurchasesAllowed(purchasesAllowed, on: id, in: transaction)
            }
            if let isSimulator { try DeviceRecord.setSimulator(isSimulator, on: id, in: transaction) }
            return try DeviceRecord.find(id, in: transaction)
        }
    }

    package func signOut(_ id: DeviceID, _ cause: ChangeCause) async throws -> DeviceRecord {
        try cause.require(.customers)
        let wall = store.clocks.wall()
        return try await store.database.write { transaction in
            _ = try DeviceRecord.find(id, in: transaction)
            try DeviceRecord.signOut(id, at: wall, in: transaction)
            return try DeviceRecord.find(id, in: transaction)
        }
    }
}
