import StoreDatabase
package import StoreHTTP
import StoreModel
package import StoreService

/// Accounts, by those who look after the store.
package struct CustomerRoutes: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// The most accounts of one answer.
    static let page = 100
    /// An account is named by its number or its address.
    static let customer = PathParameter<String>("customer", rule: "the number or the e-mail address of an account") {
        $0.isEmpty ? nil : $0
    }
    static let method = PathParameter<Int64>("paymentMethod", rule: "the number of a payment method")

    package var routes: [Route] {
        let routes: [Route] = [
            .get("/control/v1/customers", suspending: { try await list($0) })
                .described(
                    "listCustomers", "The accounts of the environment.", tag: "customers", token: nil,
                    parameters: [SaleSchemas.afterQuery],
                    answers: [.init(.ok, "A page of them.", .json(SaleSchemas.customers))]),
            .post("/control/v1/customers", suspending: { try await create($0) })
                .described(
                    "addCustomer", "Make an account.", tag: "customers", token: nil, body: SaleSchemas.customerOrder,
                    answers: [.init(.created, "The account.", .json(SaleSchemas.customer))],
                    refusals: [.conflict, .tooManyRequests]),
            .get("/control/v1/customers/{customer}", suspending: { try await show($0) })
                .described(
                    "showCustomer", "An account.", tag: "customers", token: nil, parameters: [.path(Self.customer)],
                    answers: [.init(.ok, "The account.", .json(SaleSchemas.customer))], refusals: [.notFound]),
            .patch("/control/v1/customers/{customer}", suspending: { try await change($0) })
                .described(
                    "changeCustomer", "Change an account.", tag: "customers", token: nil,
                    parameters: [.path(Self.customer)],
                    body: SaleSchemas.customerChange,
                    answers: [.init(.ok, "The account.", .json(SaleSchemas.customer))],
                    refusals: [.notFound, .tooManyRequests]),
            .delete("/control/v1/customers/{customer}", suspending: { try await delete($0) })
                .described(
                    "deleteCustomer", "Take an account out of use.", tag: "customers", token: nil,
                    parameters: [.path(Self.customer)],
                    answers: [.init(.noContent, "It is deleted.")], refusals: [.notFound]),
            .post("/control/v1/customers/{customer}/payment-methods", suspending: { try await addMethod($0) })
                .described(
                    "addPaymentMethod", "Let an account pay with something else from now on.", tag: "customers",
                    token: nil,
                    parameters: [.path(Self.customer)], body: SaleSchemas.paymentMethod,
                    answers: [.init(.created, "The account.", .json(SaleSchemas.customer))],
                    refusals: [.notFound, .tooManyRequests]),
            .delete(
                "/control/v1/customers/{customer}/payment-methods/{paymentMethod}",
                suspending: { try await removeMethod($0) }
            )
            .described(
                "removePaymentMethod", "Take a payment method away.", tag: "customers", token: nil,
                parameters: [.path(Self.customer), .path(Self.method, schema: .integer(minimum: 1))],
                answers: [.init(.noContent, "It is gone.")], refusals: [.notFound]),
            .post(
                "/control/v1/customers/{customer}/recovery", body: BodyPolicy.none,
                suspending: { try await beginRecovery($0) }
            )
            .described(
                "beginPasswordRecovery", "Open the way to another password.", tag: "customers", token: nil,
                parameters: [.path(Self.customer)],
                answers: [.init(.created, "Hand the token over to the owner only.", .json(SaleSchemas.recovery))],
                refusals: [.notFound]),
            .post("/control/v1/password-recoveries", suspending: { try await recover($0) })
                .described(
                    "recoverCustomerPassword", "Set another password with the token of a recovery.", tag: "customers",
                    token: nil,
                    body: SaleSchemas.recoveryOrder,
                    answers: [.init(.ok, "The account.", .json(SaleSchemas.customer))],
                    refusals: [.unauthorized, .tooManyRequests]),
        ]
        return routes.map(\.tellingService)
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let after = try request.target.query["after"].map { text throws(APIError) in
            guard let id = CustomerID(text) else {
                throw APIError(
                    .badRequest, code: "value_invalid", "This must be the number of a customer.", parameter: "after")
            }
            return id
        }
        let found = try await store.database.read { transaction in
            try Customers.list(after: after, limit: Self.page + 1, in: transaction).map {
                CustomerReport($0, try Customers.paymentMethods(of: $0.id, in: transaction))
            }
        }
        return try .json(
            CustomerList(customers: Array(found.prefix(Self.page)), hasMore: found.count > Self.page))
    }

    private func create(_ request: HTTPRequest) async throws -> HTTPResponse {
        let order = try request.decode(CustomerRequest.self)
        var new = try Self.new(order)
        // Passwords are hashed first: it takes long.
        if let password = order.password { new.passwordHash = try await hash(password) }
        if let answer = order.secretAnswer {
            new.secretAnswerHash = try await hash(answer, field: "secretAnswer", as: "A secret answer")
        }
        let method = order.paymentMethod ?? (store.environment == .sandbox ? Self.standardMethod : nil)
        let (account, now) = (new, store.clocks.now.wall)
        let id = try CustomerID(number: await store.numbers.next(.customers))
        let methodID = try await store.numbers.next(.paymentMethods)
        let kind = Customer.Kind(store.environment)
        let report = try await store.database.write { transaction in
            let customer = try Customers.create(account, as: id, of: kind, at: now, in: transaction)
            if let method {
                try Customers.add(
                    methodID, processor: Self.processor, token: method, label: method, to: id, at: now,
                    in: transaction)
            }
            return CustomerReport(customer, try Customers.paymentMethods(of: id, in: transaction))
        }
        return try .json(report, status: .created)
    }

    /// What a tester pays with unless something else is said.
    private static let standardMethod = "test_approved"
    private static let processor = "test"

    private static func new(_ order: CustomerRequest) throws -> NewCustomer {
        let code = order.storefront ?? StorefrontCode(rawValue: "USA")
        guard let storefront = code.storefront else {
            throw APIError(
                .badRequest, code: "storefront_unknown",
                "There is no storefront of this code; codes have three letters, as in USA.", parameter: "storefront")
        }
        do throws(InvalidValue) {
            return try NewCustomer(
                email: EmailAddress(order.email), firstName: order.firstName ?? "", lastName: order.lastName ?? "",
                storefront: storefront, birthDate: order.birthDate, secretQuestion: order.secretQuestion)
        } catch {
            throw APIError(error, parameter: fields[error.subject] ?? "body")
        }
    }

    private static let fields = [
        "e-mail address": "email", "first name": "firstName", "last name": "lastName", "birth date": "birthDate",
        "secret question": "secretQuestion",
    ]

    private func hash(
        _ password: String, field: String = "password", as subject: String = "A password"
    ) async throws -> String {
        guard NewCustomer.passwordBytes.contains(password.utf8.count) else {
            throw APIError(
                .badRequest, code: "value_invalid",
                """
                \(subject) has \(NewCustomer.passwordBytes.lowerBound) to \(NewCustomer.passwordBytes.upperBound) \
                bytes.
                """,
                parameter: field)
        }
        return try await store.passwords.hash(password)
    }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = try request[Self.customer]
        return try .json(
            try await store.database.read { transaction in
                let customer = try Customers.named(name, in: transaction)
                return CustomerReport(customer, try Customers.paymentMethods(of: customer.id, in: transaction))
            })
    }

    private func change(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = try request[Self.customer]
        let change = try request.decode(CustomerChange.self)
        let storefront = try change.storefront.map { try DeviceRoutes.storefront($0) }
        var hashed: String?
        if let password = change.password { hashed = try await hash(password) }
        let password = hashed
        let report = try await store.database.write { transaction in
            let id = try Customers.inUse(name, in: transaction).id
            if let isAllowed = change.purchasesAllowed {
                try Customers.setPurchasesAllowed(isAllowed, of: id, in: transaction)
            }
            if let interrupts = change.interruptsPurchases {
                try Customers.setInterruptsPurchases(interrupts, of: id, in: transaction)
            }
            if let storefront { try Customers.setStorefront(storefront, of: id, in: transaction) }
            if let password { try Customers.setPassword(password, of: id, in: transaction) }
            return CustomerReport(
                try Customers.require(id, in: transaction), try Customers.paymentMethods(of: id, in: transaction))
        }
        return try .json(report)
    }

    private func delete(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (name, now) = (try request[Self.customer], store.clocks.now.wall)
        try await store.database.write { transaction in
            try Customers.delete(Customers.named(name, in: transaction).id, at: now, in: transaction)
        }
        return HTTPResponse(.noContent)
    }

    private func addMethod(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (name, now) = (try request[Self.customer], store.clocks.now.wall)
        let order = try request.decode(PaymentMethodRequest.self)
        let number = try await store.numbers.next(.paymentMethods)
        let report = try await store.database.write { transaction in
            let customer = try Customers.inUse(name, in: transaction)
            try Customers.add(
                number, processor: Self.processor, token: order.token, label: order.label ?? order.token,
                to: customer.id, at: now, in: transaction)
            return CustomerReport(customer, try Customers.paymentMethods(of: customer.id, in: transaction))
        }
        return try .json(report, status: .created)
    }

    private func removeMethod(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (name, now) = (try request[Self.customer], store.clocks.now.wall)
        let number = try request[Self.method]
        try await store.database.write { transaction in
            let customer = try Customers.inUse(name, in: transaction).id
            guard try Customers.removePaymentMethod(number, of: customer, at: now, in: transaction) else {
                throw ServiceError(.methodUnknown, "the account has no such payment method", parameter: "paymentMethod")
            }
        }
        return HTTPResponse(.noContent)
    }

    private func beginRecovery(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (name, wall) = (try request[Self.customer], store.clocks.wall())
        let token = try Confirmation(random: store.random).token
        try await store.database.write { transaction in
            try Customers.beginRecovery(
                of: Customers.inUse(name, in: transaction).id, token: token, at: wall, in: transaction)
        }
        return try .json(
            RecoveryReport(token: token, expires: wall + Customers.recoveryTime), status: .created)
    }

    private func recover(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (order, wall) = (try request.decode(RecoveryRequest.self), store.clocks.wall())
        let hash = try await hash(order.password)
        let report = try await store.database.write { transaction in
            let id = try Customers.recover(token: order.token, passwordHash: hash, at: wall, in: transaction)
            return CustomerReport(
                try Customers.require(id, in: transaction), try Customers.paymentMethods(of: id, in: transaction))
        }
        return try .json(report)
    }
}

extension Route {
    /// The route, telling what use cases refuse as HTTP does.
    var tellingService: Route {
        var route = self
        let handler = handler
        route.handler = .suspending { request in
            do {
                switch handler {
                case .immediate(let answer): return try answer(request)
                case .suspending(let answer): return try await answer(request)
                }
            } catch let error as ServiceError {
                throw APIError(error)
            } catch let error as InvalidValue {
                throw APIError(error, parameter: error.subject)
            }
        }
        return route
    }
}
