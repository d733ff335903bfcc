import Foundation
import StoreHTTP
import StoreHTTPClient
public import StoreModel

/// A user of the developer's own server who is signed in on this device.
public struct SignedInUser: Hashable, Sendable {
    /// What the server knows the user by.
    public let identifier: String
    /// The name that the user signs in with.
    public let name: String
}

// Who the user is, and what the user has.
extension BackendClient {
    private struct Session: Codable {
        var address: String
        var answer: SignedInAnswer
    }

    /// Who is signed in on this device; nil if nobody is. The server may have ended the session since.
    public var user: SignedInUser? {
        session.map { SignedInUser(identifier: $0.userId, name: $0.name) }
    }

    /// Makes an account, and signs in.
    @discardableResult
    public func signUp(name: String, password: String) async throws -> SignedInUser {
        try await enter("users", name, password, expecting: 201)
    }

    /// Signs in, here and on every other device that the user has.
    @discardableResult
    public func signIn(name: String, password: String) async throws -> SignedInUser {
        try await enter("sessions", name, password, expecting: 201)
    }

    /// Uses a token that the app got from a server of users that the developer has already.
    @discardableResult
    public func signIn(token: String) async throws -> SignedInUser {
        let answer = try await connection.send(
            connection.request(.get, ServerConnection.path("v1", "user"), token: token), as: UserAnswer.self)
        return try keep(
            SignedInAnswer(userId: answer.userId, name: answer.name, token: token, expires: .latest))
    }

    /// Signs out on this device. What is on the device stays.
    public func signOut() async throws {
        guard let token = session?.token else { return }
        let request = connection.request(
            .delete, ServerConnection.path("v1", "sessions", "current"), token: token)
        do {
            _ = try await connection.send(request, expecting: [204])
        } catch let error as BackendClientError where error.code == .notSignedIn {
            // The session had ended.
        }
        try folder.remove("session.json")
    }

    private func enter(
        _ path: String, _ name: String, _ password: String, expecting status: Int
    ) async throws -> SignedInUser {
        var request = connection.request(.post, ServerConnection.path("v1", path))
        try request.setBody(AccountRequest(name: name, password: password))
        return try keep(try await connection.send(request, expecting: [status], as: SignedInAnswer.self))
    }

    private func keep(_ answer: SignedInAnswer) throws -> SignedInUser {
        try folder.write(Session(address: connection.address, answer: answer), to: "session.json")
        return SignedInUser(identifier: answer.userId, name: answer.name)
    }

    private var session: SignedInAnswer? {
        // A token is sent to no other server than the one that gave it.
        folder.read("session.json", as: Session.self).flatMap { $0.address == connection.address ? $0.answer : nil }
    }

    /// The token of who is signed in.
    var token: String {
        get throws {
            guard let session else {
                throw BackendClientError(.notSignedIn, "Nobody is signed in on this device; sign in first.")
            }
            return session.token
        }
    }

    // MARK: What the user has

    /// What the user has or had, on whichever device it was bought, the newest first.
    public func entitlements() async throws -> [UserEntitlement] {
        try await get("entitlements", as: UserEntitlementsAnswer.self).entitlements
    }

    /// What the user has of what is used up.
    public func balances() async throws -> [UserBalance] {
        try await get("balances", as: BalancesAnswer.self).balances
    }

    /// Takes from a balance, once for each key however often it is sent, and returns what is left.
    ///
    /// - Parameter key: made by the app before the first try, and kept until there is an answer: whoever does not know whether
    ///   an amount was spent asks again with the same key.
    @discardableResult
    public func spend(_ amount: Int64, of balance: String, key: String) async throws -> UserBalance {
        var request = connection.request(
            .post, ServerConnection.path("v1", "balances", balance, "spend"), token: try token)
        request.fields["Idempotency-Key"] = key
        try request.setBody(SpendRequest(amount: amount))
        return try await connection.send(request, as: UserBalance.self)
    }

    /// Whether the app may ask the user now to renew a subscription that ended: the server says yes once in each period.
    public func mayPrompt(forSubscription originalTransactionID: String) async throws -> Bool {
        try await askToPrompt(forSubscription: originalTransactionID).mayPrompt
    }

    /// The same with the reason, and when the answer may be another. A yes counts as if the user had been asked: so ask.
    public func askToPrompt(forSubscription originalTransactionID: String) async throws -> PromptAnswer {
        let request = connection.request(
            .post, ServerConnection.path("v1", "subscriptions", originalTransactionID, "prompts"), token: try token)
        return try await connection.send(request, as: PromptAnswer.self)
    }

    private func get<Answer: Decodable>(_ path: String, as type: Answer.Type) async throws -> Answer {
        try await connection.send(
            connection.request(.get, ServerConnection.path("v1", path), token: try token), as: type)
    }
}
