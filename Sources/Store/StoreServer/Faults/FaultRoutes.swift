package import StoreHTTP
package import StoreModel
package import StoreRules
package import StoreService

/// What goes wrong on purpose in the sandbox, by those who test against it.
package struct FaultRoutes: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    private static let fault = PathParameter<FaultID>("fault", rule: "the number of a fault")

    package var routes: [Route] {
        let faults = FaultEditing(store)
        return [
            .get("/control/v1/faults", suspending: { _ in try .json(Page(await faults.list().map(FaultReport.init))) })
                .described(
                    "listFaults", "What goes wrong on purpose; in production nothing does.", tag: "faults",
                    answers: [
                        .init(.ok, "All of it, in the order in which it was added.", .of(Page<FaultReport>.self))
                    ],
                    refusals: [.sandboxOnly]),
            .post("/control/v1/faults", suspending: { try await add($0, faults) })
                .described(
                    "addFault", "Let requests or notifications go wrong from now on.",
                    description: "At most \(FaultLimits.rules) at once. No fault strikes this path.", tag: "faults",
                    body: .of(FaultTerms.self),
                    answers: [.init(.created, "The fault.", .of(FaultReport.self))],
                    refusals: [.sandboxOnly, .limitReached, .appUnknown, .customerUnknown]),
            .delete(
                "/control/v1/faults",
                suspending: { try .json(FaultsCleared(cleared: await faults.clear($0.cause(in: store)))) }
            )
            .described(
                "clearFaults", "Let nothing go wrong any more.", tag: "faults",
                answers: [.init(.ok, "How many faults there were.", .of(FaultsCleared.self))],
                refusals: [.sandboxOnly]),
            .delete("/control/v1/faults/{fault}", suspending: { try await remove($0, faults) })
                .described(
                    "removeFault", "Take one fault away.", tag: "faults",
                    parameters: [.path(Self.fault, schema: FaultID.schema)],
                    answers: [.init(.noContent, "It is gone.")], refusals: [.sandboxOnly, .nameUnknown]),
        ]
    }

    private func add(_ request: HTTPRequest, _ faults: FaultEditing) async throws -> HTTPResponse {
        let added = try await faults.add(request.decode(FaultTerms.self), request.cause(in: store))
        return try .json(FaultReport(added), status: .created)
    }

    private func remove(_ request: HTTPRequest, _ faults: FaultEditing) async throws -> HTTPResponse {
        try await faults.remove(request[Self.fault], request.cause(in: store))
        return HTTPResponse(.noContent)
    }
}

package struct FaultReport: Codable, Hashable, Sendable {
    package var faultId: FaultID
    /// What it does, in a line.
    package var description: String
    /// As it was asked for.
    package var rule: FaultTerms
    /// How many calls of what it is about there were, and how many of those it struck.
    package var counted: Int
    package var struck: Int
    /// Whether it strikes nothing any more.
    package var isOver: Bool
    package var addedAt: Instant
    package var actor: String

    init(_ fault: Fault) {
        faultId = fault.id
        description = "\(fault.rule)"
        rule = fault.terms
        counted = fault.counted
        struck = fault.struck
        isOver = fault.isOver
        addedAt = fault.addedAt
        actor = fault.actor
    }
}

package struct FaultsCleared: Codable, Hashable, Sendable {
    package var cleared: Int
}

extension FaultTerms: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        let count = JSONSchema.integer(minimum: 1, maximum: FaultLimits.calls.upperBound)
        return [
            "path": .string("What * stands for is anything; all paths where it is missing.", example: "/inApps/*"),
            "method": .string("One of \(FaultLimits.methods.joined(separator: ", ")).", example: "POST"),
            "notifications": .boolean("Whether it is about attempts to send notifications, and not about requests."),
            "notificationType": .string("Only notifications of this type.", among: NotificationType.sent),
            "customer": .string("The number or the e-mail address of an account."),
            "call": count, "every": count, "times": count,
            "percent": .integer("How many of a hundred, drawn by the seed.", minimum: 1, maximum: 100),
            "delayMilliseconds": .integer(minimum: 1, maximum: FaultLimits.delay),
            "status": .integer(
                "A status of HTTP, one of verifyReceipt such as 21005, or an error code of the App Store Server API.",
                minimum: 200, maximum: 5_999_999),
            "retryAfterSeconds": .integer(minimum: 1, maximum: 86_400),
            "drop": .string(
                "Whether the connection is closed before it is acted on or after.",
                among: FaultRule.Effect.Moment.allCases.map(\.rawValue)),
            "duplicate": .boolean("Whether it is done twice."),
            "reorder": .boolean("Whether the next notification of the same subscription goes out first."),
        ]
    }
}
