import StoreHTTP
import StoreModel

/// What users have of what is used up, on every device of theirs.
extension BackendServer {
    var balanceRoutes: [Route] {
        [
            forUsers(
                .get("/v1/balances", suspending: balances)
                    .described(
                        "listBalances", "All balances of the user.", tag: "balances", needsUser: true,
                        answers: [.init(.ok, "The balances.", .json(.of(BalancesAnswer.self)))])),
            forUsers(
                .post(
                    "/v1/balances/{name}/spend", body: .collected(limit: limits.messageBytes), suspending: spend
                )
                .described(
                    "spend", "Take from a balance, once for each key.",
                    description: "The same key again, with the same amount, is answered as the first time.",
                    tag: "balances", needsUser: true,
                    parameters: [
                        .path(BackendPaths.balance),
                        .header(
                            "Idempotency-Key", "A text that the app uses for this one spending.", isRequired: true,
                            schema: .string(pattern: "^[!-~]+$", lengths: BackendServerLimits.keyLength)),
                    ], body: .of(SpendRequest.self),
                    answers: [.init(.ok, "What is left.", .json(.of(UserBalance.self)))],
                    refusals: [.balanceTooLow, .keyReused]
                ).withExactBodies),
        ]
    }

    private func balances(_ request: HTTPRequest) async throws -> HTTPResponse {
        let all = try await backend.balances(of: user(of: request))
        return try .json(BalancesAnswer(balances: all.map { UserBalance(name: $0.name, amount: $0.amount) }))
    }

    private func spend(_ request: HTTPRequest) async throws -> HTTPResponse {
        let user = try user(of: request)
        let keys = request.fields.values("Idempotency-Key")
        guard keys.count == 1, BackendServerLimits.keyLength.contains(keys[0].utf8.count),
            keys[0].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw BackendError(
                .invalidValue,
                "Spending needs one Idempotency-Key of 1 to \(BackendServerLimits.keyLength.upperBound) visible characters.",
                parameter: "Idempotency-Key")
        }
        let left = try await backend.spend(
            request.decode(SpendRequest.self).amount, of: request[BackendPaths.balance], key: keys[0],
            for: user, at: now())
        return try .json(UserBalance(name: left.name, amount: left.amount))
    }
}
