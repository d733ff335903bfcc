import StoreHTTP
import StoreModel
import StoreService

extension DeviceRoutes {
    var accountRoutes: [Route] {
        [
            .post(
                "/device/v1/sign-in",
                suspending: { request in
                    let token = try Self.token(request)
                    let wanted = try request.decode(SignInRequest.self)
                    return try await answer(
                        answer(
                            accounts.signIn(
                                email: wanted.email, password: wanted.password, as: token, request: request.name)))
                }
            )
            .described(
                "signIn", "Sign in with a password, in the sandbox; purchases that waited for it go on.",
                tag: "devices", token: Self.scheme, body: .object(["email": .string(), "password": .string()]),
                answers: [.init(.ok, "The device.", .of(DeviceAnswer.self))],
                refusals: [.credentialsWrong, .sandboxOnly, .testerSpent, .customerUnknown, .tooMany]),
            .post(
                "/device/v1/sign-out",
                body: BodyPolicy.none,
                suspending: { try await answer(answer(accounts.signOut(as: Self.token($0)))) }
            )
            .described(
                "signOut", "Sign out.", tag: "devices", token: Self.scheme,
                answers: [.init(.ok, "The device.", .of(DeviceAnswer.self))]),
            .post(
                "/device/v1/password-recovery",
                suspending: { request in
                    let token = try Self.token(request)
                    let wanted = try request.decode(PasswordRecoveryRequest.self)
                    try await accounts.recoverPassword(of: wanted.email, as: token, request: request.name)
                    return HTTPResponse(.accepted)
                }
            )
            .described(
                "recoverPassword", "Ask for another password; purchases that waited for signing in end.",
                tag: "devices", token: Self.scheme, body: .object(["email": .string()]),
                answers: [.init(.accepted, "If there is such an account, the way to another password is open.")]),
        ]
    }

    private var accounts: Accounts { Accounts(store) }
}
