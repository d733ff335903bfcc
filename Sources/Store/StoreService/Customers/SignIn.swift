import StoreCatalogue
import StoreDatabase
package import StoreHTTP
package import StoreModel
import StoreRules

/// Signing in and out on devices, and another password.
extension Accounts {
    /// Signs in with a password, which only the sandbox takes from a device. Purchases that waited for it go on.
    ///
    /// In production the password of a tester is taken for what it is: the tester becomes a customer, and is refused as all
    /// customers are.
    package func signIn(
        email: String, password: String, as token: DeviceToken, request: String?
    ) async throws -> DeviceScope {
        let scope = try await store.scope(of: token)
        if store.environment == .production {
            let (_, subject) = try await found(email)
            let customer = try await store.guesses.guess(at: .device(scope.device), of: subject) {
                try await SpentTesters(store).becomeCustomer(email, password)
            }
            let rule = "in production nobody types a password into an app; a purchase is approved elsewhere"
            throw ServiceError(
                .sandboxOnly,
                customer.map {
                    "this tester is customer \($0.id) of production now, and nothing is tested with it any more; \(rule)"
                } ?? rule)
        }
        return try await signIn(
            email: email, password: password, at: .device(scope.device), on: scope,
            store.cause(.customer, request: request))
    }

    /// Signs in on a device, in both environments.
    ///
    /// - Parameter place: where the password was typed: there, or on the page of a purchase.
    @discardableResult
    func signIn(
        email: String, password: String, at place: GuessPlace, on scope: DeviceScope, _ cause: ChangeCause
    ) async throws -> DeviceScope {
        let (customer, hash) = try await proven(email, password, at: place)
        try customer.requireUnspent(parameter: "email")
        return try await signIn(customer, provenBy: hash, on: scope, cause)
    }

    /// The account of an address and a password that are typed on a page.
    func owner(_ email: String, _ password: String, at place: GuessPlace) async throws -> Customer {
        try await proven(email, password, at: place).customer
    }

    private struct Found: Sendable {
        let customer: Customer
        let hash: String?
    }

    /// The account of an address, and what its password is counted by.
    private func found(_ email: String) async throws -> (Found?, GuessSubject) {
        guard let address = try? EmailAddress(email) else { return (nil, .address("")) }
        let found = try await store.database.read { transaction -> Found? in
            guard let customer = try Customers.find(address, in: transaction) else { return nil }
            return Found(
                customer: customer, hash: try Customers.passwordHash(of: customer.id, in: transaction))
        }
        return (found, try found.map { .account($0.customer.id) } ?? .address(address.key()))
    }

    /// The account of an address and a password, and the hash that proved it.
    func proven(
        _ email: String, _ password: String, at place: GuessPlace
    ) async throws -> (customer: Customer, hash: String) {
        let (found, subject) = try await found(email)
        let proven = try await store.guesses.guess(at: place, of: subject) { () -> (Customer, String)? in
            let matches = try await store.passwords.matches(
                password, hash: found?.hash, for: .customers(store.environment))
            guard matches, let found, let hash = found.hash else { return nil }
            return (found.customer, hash)
        }
        guard let proven else {
            throw ServiceError(
                .credentialsWrong, "the e-mail address or the password is wrong", parameter: "password")
        }
        return proven
    }

    /// Refuses a password that is not the customer's, and a code that is not the one of a purchase.
    func require(
        _ password: String, of customer: CustomerID, and code: String, for purchase: StoredPurchase,
        at place: GuessPlace
    ) async throws {
        let proven = try await store.guesses.guess(at: place, of: .account(customer)) { () -> Bool? in
            let hash = try await store.database.read { try Customers.passwordHash(of: customer, in: $0) }
            let matches = try await store.passwords.matches(password, hash: hash, for: .customers(store.environment))
            return matches && Confirmation.code(typed: code) == purchase.code ? true : nil
        }
        guard proven != nil else {
            throw ServiceError(
                .credentialsWrong, "the password is wrong, or the code is not that of the purchase",
                parameter: "password")
        }
    }

    /// Signs an account in on the device of a purchase, which the operator vouches for.
    func signIn(_ name: String, forPurchase waiting: StoredPurchase, _ cause: ChangeCause) async throws {
        let (customer, scope) = try await store.database.read { transaction in
            let customer = try Customers.inUse(name, in: transaction)
            guard let scope = try waiting.device.flatMap({ try DeviceScope.of($0, in: transaction) }) else {
                throw ServiceError(.deviceUnknown, "the device of this purchase is gone")
            }
            return (customer, scope)
        }
        _ = try await signIn(customer, on: scope, cause)
    }

    /// Signs a customer in on a device, and goes on with the purchases that waited for it.
    ///
    /// - Parameter passwordHash: the hash that a password was compared with; nil where the caller vouches for the customer.
    package func signIn(
        _ customer: Customer, provenBy passwordHash: String? = nil, on scope: DeviceScope, _ cause: ChangeCause
    ) async throws -> DeviceScope {
        let waiting = try await store.database.read { try Purchases.waitingForSignIn(on: scope, in: $0) }
        return try await signIn(customer, provenBy: passwordHash, on: scope, waiting: waiting, cause)
    }

    /// - Parameter waiting: the purchases of the device that wait for this, as they were read a moment ago.
    package func signIn(
        _ customer: Customer, provenBy passwordHash: String? = nil, on scope: DeviceScope, waiting: [StoredPurchase],
        _ cause: ChangeCause
    ) async throws -> DeviceScope {
        let wall = store.clocks.wall()
        let (signedIn, late) = try await goOn(
            with: waiting, as: customer, pricedIn: customer.storefront, scope, cause
        ) { transaction in
            try Devices.signIn(customer, provenBy: passwordHash, on: scope, at: wall, in: transaction)
        }
        // What was opened since the others were read; or all, if the account has moved to another storefront since.
        if !late.isEmpty {
            _ = try await goOn(
                with: late, as: customer, pricedIn: signedIn.storefront, signedIn, cause
            ) { transaction in
                try DeviceScope.of(scope.device, in: transaction)
            }
        }
        return signedIn
    }

    /// Lets purchases go on in the scope that a transaction gives; returns it and those that wait all the same. From then on
    /// none is opened on the device that waits for this.
    private func goOn(
        with waiting: [StoredPurchase], as customer: Customer, pricedIn storefront: StorefrontCode,
        _ scope: DeviceScope, _ cause: ChangeCause,
        _ signedIn: @escaping @Sendable (any WriteTransaction) throws -> DeviceScope?
    ) async throws -> (DeviceScope, [StoredPurchase]) {
        // What the purchases come to in the storefront, at the time of the account.
        let clock = try await store.database.lookUp { try CustomerClock.of(customer.id, in: $0) }
        let found = try await ProductLookup(store).listings(
            waiting.map(\.item.product.text), for: scope, in: storefront, at: store.clocks.now(by: clock))
        let listings = Dictionary(found.listings.map { ($0.product.productID, $0) }) { first, _ in first }
        return try await Confirmation.drawn(waiting.count, store.random) { confirmations in
            try await store.database.write { transaction in
                guard let current = try signedIn(transaction), current.customer == customer.id else {
                    return (scope, [])
                }
                guard current.storefront == storefront else { return (current, waiting) }
                let change = try cause.change(in: current, transaction)
                for (purchase, confirmation) in zip(waiting, confirmations) {
                    let listing = listings[purchase.item.product]
                    try Purchases.signedIn(
                        purchase, as: current, item: listing.map { SoldItem($0, storefront) },
                        lower: listing.map { $0.offers + $0.codes } ?? [], confirmation, change)
                }
                return (current, try Purchases.waitingForSignIn(on: current, in: transaction))
            }
        }
    }

    /// Signs the customer out who is signed in on a device.
    package func signOut(as token: DeviceToken) async throws -> DeviceScope {
        try await store.write(as: token) { scope, change in
            try Devices.signOut(scope, at: change.wall, in: change.transaction)
        }
    }

    // MARK: Another password

    /// What lets the owner of an account set another password.
    package struct Recovery: Sendable {
        package let token: String
        package let expires: Instant
    }

    /// Begins to give an account another password, and ends the purchases of the device that waited for this sign-in.
    /// Whether there is such an account is not told.
    package func recoverPassword(of email: String, as token: DeviceToken, request: String?) async throws {
        let scope = try await store.scope(of: token)
        try await recoverPassword(of: email, on: scope, store.cause(.customer, request: request))
    }

    /// The same on a device that is known by other means than its token.
    func recoverPassword(of email: String, on scope: DeviceScope, _ cause: ChangeCause) async throws {
        let secret = try Confirmation(random: store.random).token
        try await store.database.write { transaction in
            let change = try cause.change(in: scope, transaction)
            for purchase in try Purchases.waitingForSignIn(on: scope, in: transaction) {
                try Purchases.handle(.prevented(.passwordForgotten), of: purchase, change)
            }
            guard let email = try? EmailAddress(email),
                let customer = try Customers.find(email, in: transaction),
                // Any device may ask; a recovery that is open stays.
                try !Customers.isRecovering(customer.id, at: change.wall, in: transaction)
            else { return }
            try Customers.beginRecovery(of: customer.id, token: secret, at: change.wall, in: transaction)
        }
    }

    /// Whether a token lets its bearer set another password.
    package func isRecovering(_ token: String) async throws -> Bool {
        let wall = store.clocks.wall()
        return try await store.database.read { try Customers.isRecovering(token, at: wall, in: $0) }
    }

    /// Begins a recovery for the operator, who hands the token over to the owner of the account.
    package func beginRecovery(of name: String, _ cause: ChangeCause) async throws -> Recovery {
        try cause.require(.customers)
        let (secret, wall) = (try Confirmation(random: store.random).token, store.clocks.wall())
        try await store.database.write { transaction in
            try Customers.beginRecovery(
                of: Customers.inUse(name, in: transaction).id, token: secret, at: wall, in: transaction)
        }
        return Recovery(token: secret, expires: wall + Customers.recoveryTime)
    }

    /// Sets another password with the token of a recovery.
    ///
    /// - Parameter peer: whose page it is, if it is on one. The account signs in from there, however many others guess at it.
    package func recover(token: String, password: String, from peer: PeerAddress? = nil) async throws -> Account {
        let (hash, wall) = (try await hash(password), store.clocks.wall())
        let account = try await store.database.write { transaction in
            let id = try Customers.recover(token: token, passwordHash: hash, at: wall, in: transaction)
            return try Account(id, in: transaction)
        }
        if let peer { try await store.guesses.remember(.page(peer), of: account.customer.id) }
        return account
    }
}
