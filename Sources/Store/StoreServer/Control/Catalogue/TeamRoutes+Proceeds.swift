import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreService

/// What the apps of a team have earned in an environment.
package struct ProceedsAnswer: Codable, Hashable, Sendable {
    package struct Sum: Codable, Hashable, Sendable {
        package let bundleId: BundleID
        package let appId: AppID
        package let currency: Currency
        package let sales: Int
        package let refunds: Int
        /// What customers paid, after what went back to them.
        package let paid: String
        package let commission: String
        package let proceeds: String
    }

    package let teamId: TeamID
    package let environment: StoreEnvironment
    package let from: Instant?
    package let until: Instant?
    /// By app and currency; what sold nothing is not in it.
    package let items: [Sum]
    /// Bank and tax data without which nothing could be paid out.
    package let missingForPayout: [String]

    init(
        _ team: TeamID, _ environment: StoreEnvironment, from start: Instant?, until end: Instant?,
        _ sums: [(app: CatalogueApp, proceeds: [Proceeds])], missing: [String]
    ) {
        teamId = team
        self.environment = environment
        (from, until) = (start, end)
        items = sums.flatMap { app, proceeds in
            proceeds.map {
                Sum(
                    bundleId: app.bundleID, appId: app.id, currency: $0.currency, sales: $0.sales, refunds: $0.refunds,
                    paid: $0.paid.decimalText, commission: $0.commission.decimalText, proceeds: $0.proceeds.decimalText)
            }
        }
        missingForPayout = missing
    }

    /// The same for a spreadsheet. No value has a comma or a quotation mark.
    package var csv: String {
        let rows = items.map {
            "\($0.bundleId),\($0.appId),\($0.currency),\($0.sales),\($0.refunds),\($0.paid),\($0.commission),\($0.proceeds)"
        }
        return (["bundle_id,app_id,currency,sales,refunds,paid,commission,proceeds"] + rows).map { $0 + "\r\n" }
            .joined()
    }
}

extension ProceedsAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["missingForPayout": .array(of: .string(), description: "Without it nothing could be paid out.")]
    }
}

extension ProceedsAnswer.Sum: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "paid": .string("By customers, after what went back to them.", example: "9.90"),
            "commission": .string("What the store keeps of it.", example: "2.97"),
            "proceeds": .string("What the developer is owed.", example: "6.93"),
        ]
    }
}

extension TeamRoutes {
    /// The report on what a team has earned, in two forms.
    var proceedsRoutes: [Route] {
        let path = "/control/v1/teams/{teamId}/proceeds"
        let parameters =
            Self.one + [
                .query("from", "From this moment of the store's clock on.", schema: Instant.schema),
                .query("until", "Before this moment.", schema: Instant.schema),
            ]
        return [
            .get(RoutePattern(path)) { try .json(await proceeds($0)) }
                .described(
                    "readProceeds", "What the apps of a team have earned in this environment, from the ledger.",
                    tag: Self.tag, parameters: parameters,
                    answers: [.init(.ok, "The report.", .of(ProceedsAnswer.self))], refusals: [.teamUnknown]),
            .get(RoutePattern(path + ".csv")) { request in
                HTTPResponse(.ok, Array(try await proceeds(request).csv.utf8), as: "text/csv")
            }
            .described(
                "exportProceeds", "The same as a table.", tag: Self.tag, parameters: parameters,
                answers: [.init(.ok, "A row for each app and currency.", .text("text/csv"))], refusals: [.teamUnknown]),
        ]
    }

    private func proceeds(_ request: HTTPRequest) async throws -> ProceedsAnswer {
        let id = try request[Self.teamID]
        let (start, end) = (try request.moment("from"), try request.moment("until"))
        let (apps, missing) = try await store.editing(request).payable(of: id)
        let sums = try await store.proceeds.list(of: apps, from: start, until: end)
        return ProceedsAnswer(id, store.environment, from: start, until: end, sums, missing: missing)
    }
}
