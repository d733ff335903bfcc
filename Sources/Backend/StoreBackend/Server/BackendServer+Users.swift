import StoreHTTP
import StoreModel

/// The developer's own users: accounts and sessions.
extension BackendServer {
    var userRoutes: [Route] {
        [
            account(
                .post("/v1/users", body: .collected(limit: limits.messageBytes), suspending: signUp)
                    .described(
                        "signUp", "Make an account, and sign in with it.", tag: "users",
                        body: .of(AccountRequest.self),
                        answers: [.init(.created, "The user is signed in.", .json(.of(SignedInAnswer.self)))],
                        refusals: [.nameTaken])),
            account(
                .post("/v1/sessions", body: .collected(limit: limits.messageBytes), suspending: signIn)
                    .described(
                        "signIn", "Sign in with name and password.", tag: "users", body: .of(AccountRequest.self),
                        answers: [.init(.created, "The user is signed in.", .json(.of(SignedInAnswer.self)))],
                        refusals: [.notSignedIn])),
            forUsers(
                .delete("/v1/sessions/current", suspending: signOut)
                    .described(
                        "signOut", "End the session whose token this is.", tag: "users", needsUser: true,
                        answers: [.init(.noContent, "The token holds no longer.")])),
            forUsers(
                .get("/v1/user", suspending: { try .json(UserAnswer(user(of: $0))) })
                    .described(
                        "showUser", "Whose token this is.", tag: "users", needsUser: true,
                        answers: [.init(.ok, "The user.", .json(.of(UserAnswer.self)))])),
        ]
    }

    /// A route that takes passwords, of which one address may try only so many.
    private func account(_ route: Route) -> Route {
        var route = route.withExactBodies
        if let accounts { route.middleware.append(accounts) }
        return route
    }

    private func signUp(_ request: HTTPRequest) async throws -> HTTPResponse {
        let account = try request.decode(AccountRequest.self)
        let isCounted = limits.countsLocalRequests || !request.peer.isOfThisMachine
        let signedIn = try await backend.accounts.signUp(
            name: account.name, password: account.password, from: isCounted ? request.peer.network : nil, at: now())
        return try .json(SignedInAnswer(signedIn), status: .created)
    }

    private func signIn(_ request: HTTPRequest) async throws -> HTTPResponse {
        let account = try request.decode(AccountRequest.self)
        let signedIn = try await backend.accounts.signIn(
            name: account.name, password: account.password, from: request.peer.network, at: now())
        return try .json(SignedInAnswer(signedIn), status: .created)
    }

    private func signOut(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard case .bearer(let token)? = request.authorization else {
            throw BackendError(.notSignedIn, "There is no token to sign out.")
        }
        try await backend.accounts.signOut(token: token, at: now())
        return HTTPResponse(.noContent)
    }
}

extension SignedInAnswer {
    init(_ signedIn: SignedIn) {
        self.init(
            userId: signedIn.user.id, name: signedIn.user.name ?? signedIn.user.id, token: signedIn.token,
            expires: signedIn.expires)
    }
}

extension UserAnswer {
    init(_ user: BackendUser) {
        self.init(userId: user.id, name: user.name ?? user.id)
    }
}
