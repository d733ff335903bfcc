import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

extension DeviceRoutes {
    var accountRoutes: [Route] {
        [
            .post("/device/v1/sign-in", suspending: { try await signIn($0) })
                .described(
                    "signIn", "Sign in with a password, in the sandbox; purchases that waited for it go on.",
                    tag: "devices", token: Self.scheme, body: .object(["email": .string(), "password": .string()]),
                    answers: [.init(.ok, "The device.", .json(DeviceSchemas.device))],
                    refusals: [.forbidden, .tooManyRequests]),
            .post(
                "/device/v1/sign-out",
                body: BodyPolicy.none,
                suspending: { request in
                    let scope = try await write(request) { scope, transaction, _ in
                        try Devices.signOut(scope, in: transaction)
                    }
                    return try answer(answer(scope))
                }
            )
            .described(
                "signOut", "Sign out.", tag: "devices", token: Self.scheme,
                answers: [.init(.ok, "The device.", .json(DeviceSchemas.device))]),
            .post("/device/v1/password-recovery", suspending: { try await recoverPassword($0) })
                .described(
                    "recoverPassword", "Ask for another password; purchases that waited for signing in end.",
                    tag: "devices", token: Self.scheme, body: .object(["email": .string()]),
                    answers: [.init(.accepted, "If there is such an account, the way to another password is open.")]),
        ]
    }

    /// Signs in with a password, which only the sandbox takes from a device.
    private func signIn(_ request: HTTPRequest) async throws -> HTTPResponse {
        let order = try request.decode(SignInRequest.self)
        let before = try await lookUp(request) { scope, _ in scope }
        guard store.environment == .sandbox else {
            throw APIError(
                ServiceError(
                    .sandboxOnly, "in production nobody types a password into an app; a purchase is approved elsewhere")
            )
        }
        let (customer, passwordHash) = try await account(order)
        let waiting = try await read(request) { try Purchases.waitingForSignIn(on: $0, in: $1) }
        let scope = try await translating {
            try await SignIn(store).signIn(
                customer, provenBy: passwordHash, on: before, waiting: waiting, request: request.name)
        }
        return try answer(answer(scope))
    }

    /// The account of an address and a password, and the hash that proved it. Whether the address or the password is wrong is
    /// not told.
    private func account(_ order: SignInRequest) async throws -> (Customer, String) {
        let found = try await store.database.read { transaction -> (Customer, String?)? in
            guard let email = try? EmailAddress(order.email),
                let customer = try Customers.find(email, in: transaction)
            else { return nil }
            return (customer, try Customers.passwordHash(of: customer.id, in: transaction))
        }
        let matches = try await translating {
            try await store.passwords.matches(order.password, hash: found?.1)
        }
        guard matches, let customer = found?.0, let hash = found?.1 else {
            throw APIError(
                ServiceError(
                    .credentialsWrong, "the e-mail address or the password is wrong", parameter: "password"))
        }
        return (customer, hash)
    }

    /// Begins to give an account another password, and ends the purchases that waited for this sign-in. Whether there is
    /// such an account is not told.
    private func recoverPassword(_ request: HTTPRequest) async throws -> HTTPResponse {
        let order = try request.decode(PasswordRecoveryRequest.self)
        let token = try Confirmation(random: store.random).token
        let waiting = try await read(request) { try Purchases.waitingForSignIn(on: $0, in: $1) }
        let requestID = request.name
        try await write(request) { _, transaction, times in
            for purchase in waiting {
                let current = try Purchases.require(purchase.id, in: transaction)
                guard current.state == .signIn else { continue }
                _ = try Purchases.handle(
                    .prevented(.passwordForgotten), of: current, at: times, request: requestID, in: transaction)
            }
            guard let email = try? EmailAddress(order.email),
                let customer = try Customers.find(email, in: transaction),
                // Anybody may ask from any device; who has a way already keeps it.
                try !Customers.isRecovering(customer.id, at: times.wall, in: transaction)
            else { return }
            try Customers.beginRecovery(of: customer.id, token: token, at: times.wall, in: transaction)
        }
        return HTTPResponse(.accepted)
    }
}
