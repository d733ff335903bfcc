package import StoreHTTP
import StoreModel
package import StoreService

/// Accounts, by those who look after the store.
package struct CustomerRoutes: Sendable {
    private let accounts: Accounts
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        accounts = Accounts(store)
        self.store = store
    }

    /// An account is named by its number or its address.
    static let customer = PathParameter<String>("customer", rule: "the number or the e-mail address of an account") {
        $0.isEmpty ? nil : $0
    }
    static let method = PathParameter<PaymentMethodID>("paymentMethod", rule: "the number of a payment method")

    package var routes: [Route] {
        [
            .get("/control/v1/customers", suspending: { try await list($0) })
                .described(
                    "listCustomers", "The accounts of the environment.", tag: "customers",
                    parameters: .page(by: CustomerID.schema),
                    answers: [.init(.ok, "A page of them.", .of(Page<CustomerReport>.self))]),
            .post("/control/v1/customers", suspending: { try await create($0) })
                .described(
                    "addCustomer", "Make an account.", tag: "customers", body: .of(CustomerRequest.self),
                    answers: [.init(.created, "The account.", .of(CustomerReport.self))],
                    refusals: [.emailTaken, .storefrontUnknown, .tooMany]),
            .get("/control/v1/customers/{customer}", suspending: { try await show($0) })
                .described(
                    "showCustomer", "An account.", tag: "customers", parameters: [.path(Self.customer)],
                    answers: [.init(.ok, "The account.", .of(CustomerReport.self))], refusals: [.customerUnknown]),
            .patch("/control/v1/customers/{customer}", suspending: { try await change($0) })
                .described(
                    "changeCustomer",
                    "Change the rights, the storefront or, in production, the password of an account.",
                    tag: "customers",
                    parameters: [.path(Self.customer)],
                    body: .of(CustomerChange.self),
                    answers: [.init(.ok, "The account.", .of(CustomerReport.self))],
                    refusals: [.customerUnknown, .notAllowed, .storefrontUnknown, .tooMany]),
            .delete("/control/v1/customers/{customer}", suspending: { try await delete($0) })
                .described(
                    "deleteCustomer", "Take an account out of use.", tag: "customers",
                    parameters: [.path(Self.customer)],
                    answers: [.init(.noContent, "It is deleted.")], refusals: [.customerUnknown]),
            .post("/control/v1/customers/{customer}/payment-methods", suspending: { try await addMethod($0) })
                .described(
                    "addPaymentMethod", "Let an account pay with something else from now on.", tag: "customers",
                    parameters: [.path(Self.customer)], body: .of(PaymentMethodRequest.self),
                    answers: [.init(.created, "The account.", .of(CustomerReport.self))],
                    refusals: [.customerUnknown, .tooMany]),
            .delete(
                "/control/v1/customers/{customer}/payment-methods/{paymentMethod}",
                suspending: { try await removeMethod($0) }
            )
            .described(
                "removePaymentMethod", "Take a payment method away.", tag: "customers",
                parameters: [.path(Self.customer), .path(Self.method, schema: .integer(minimum: 1))],
                answers: [.init(.noContent, "It is gone.")], refusals: [.customerUnknown, .methodUnknown]),
            .post(
                "/control/v1/customers/{customer}/recovery", body: BodyPolicy.none,
                suspending: { try await beginRecovery($0) }
            )
            .described(
                "beginPasswordRecovery", "Open the way to another password.", tag: "customers",
                parameters: [.path(Self.customer)],
                answers: [.init(.created, "Hand the token over to the owner only.", .of(RecoveryReport.self))],
                refusals: [.customerUnknown]),
            .post("/control/v1/password-recoveries", suspending: { try await recover($0) })
                .described(
                    "recoverCustomerPassword", "Set another password with the token of a recovery.", tag: "customers",
                    body: .of(RecoveryRequest.self),
                    answers: [.init(.ok, "The account.", .of(CustomerReport.self))],
                    refusals: [.tokenInvalid, .tooMany]),
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<CustomerID>(request)
        let found = try await accounts.list(after: wanted.after, limit: wanted.rows)
        return try .json(wanted.page(of: found, by: \.customer.id, CustomerReport.init))
    }

    private func create(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(CustomerRequest.self)
        if wanted.drawsRest == true {
            let made = try await accounts.createTester(wanted.draft, request.cause(in: store))
            return try .json(CustomerReport(made), status: .created)
        }
        return try await report(accounts.create(wanted.draft, request.cause(in: store)), status: .created)
    }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await report(accounts.account(named: request[Self.customer]))
    }

    private func change(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = try request[Self.customer]
        if let fixed = try request.decode(FixedPart.self).name { throw Accounts.fixed(fixed) }
        let revision = try request.decode(CustomerChange.self).revision
        return try await report(accounts.change(name, revision, request.cause(in: store)))
    }

    private func delete(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await accounts.delete(request[Self.customer], request.cause(in: store))
        return HTTPResponse(.noContent)
    }

    private func addMethod(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = try request[Self.customer]
        let wanted = try request.decode(PaymentMethodRequest.self)
        return try await report(
            accounts.addPaymentMethod(wanted.token, label: wanted.label, to: name, request.cause(in: store)),
            status: .created)
    }

    private func removeMethod(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await accounts.removePaymentMethod(
            request[Self.method], of: request[Self.customer], request.cause(in: store))
        return HTTPResponse(.noContent)
    }

    private func beginRecovery(_ request: HTTPRequest) async throws -> HTTPResponse {
        let recovery = try await accounts.beginRecovery(of: request[Self.customer], request.cause(in: store))
        return try .json(RecoveryReport(token: recovery.token, expires: recovery.expires), status: .created)
    }

    private func recover(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(RecoveryRequest.self)
        return try await report(accounts.recover(token: wanted.token, password: wanted.password))
    }

    private func report(_ account: Accounts.Account, status: HTTPStatus = .ok) throws -> HTTPResponse {
        try .json(CustomerReport(account), status: status)
    }
}
