package import StoreHTTP
import StoreModel
package import StoreService

/// What an approved partner sees who shows token and key by Basic authentication: what came of the links, as a page and as CSV.
///
/// ```
/// /partners               the sums
/// /partners/report.csv    the single sales and refunds
/// ```
package struct PartnerPageRoutes: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    private static let realm = "Basic realm=\"Partners\", charset=\"UTF-8\""

    package var routes: [Route] {
        [
            Route.get("/partners", suspending: { try await show($0) }),
            Route.get("/partners/report.csv", suspending: { try await lines($0) }),
        ].map { route in
            var route = route
            route.middleware.append(SecurityHeaders.pages())
            return route
        }
    }

    /// Who asks; nil unless it is an approved partner.
    private func partner(_ request: HTTPRequest) async throws -> Partner? {
        guard case .basic(let token, let key) = request.authorization else { return nil }
        return try await Partners(store).partner(token, showing: key)
    }

    private func lines(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let partner = try await partner(request) else { return refusal }
        return .partnerLines(
            of: partner, from: try Self.moment("from", request), until: try Self.moment("until", request),
            Partners(store))
    }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let partner = try await partner(request) else { return refusal }
        let report = try await Partners(store).report(
            on: partner, from: try Self.moment("from", request), until: try Self.moment("until", request))
        return Page("Partner \(partner.name)", in: "en", kind: "sheet") {
            main(.class("pay")) {
                if store.environment == .sandbox { div(.class("band")) { "Sandbox: nothing is charged" } }
                h1 { partner.name }
                p {
                    Self.sentence(
                        report.totals,
                        isWhole: request.target.query["from"] == nil
                            && request.target.query["until"] == nil)
                }
                sums(of: report)
                p { a(.href(Link("/partners/report.csv"))) { "Single sales and refunds, as CSV" } }
                p {
                    "A link to a page of the store is yours with "
                    code { "at=\(partner.token)" }
                    ", and with "
                    code { "ct=" }
                    " and a word of your choice it counts for itself. What is bought within 24 hours earns you "
                    "\(partner.commission.percentText) of what was paid; a refund takes it back."
                }
                p {
                    "The feed: "
                    a(.href(Link("/feed/epf/v5/"))) { "/feed/epf/v5/" }
                }
            }
        }.response()
    }

    /// What the sums come to: all of it is owed, a part of it was earned in its time.
    private static func sentence(_ totals: [Money], isWhole: Bool) -> String {
        let sums = totals.map(\.description).joined(separator: ", ")
        return switch (totals.isEmpty, isWhole) {
        case (true, true): "Nothing came of your links yet."
        case (true, false): "Nothing came of your links in this time."
        case (false, true): "You are owed \(sums)."
        case (false, false): "Your links earned you \(sums) in this time."
        }
    }

    private func sums(of report: PartnerReport) -> [any HTML] {
        DataTable(
            title: "What came of your links",
            columns: [
                .text("Campaign"), .amount("Sales"), .amount("Refunds"), .amount("Paid"), .amount("Yours"),
            ],
            rows: report.sums.map { sum in
                [
                    [sum.campaign ?? "none"], ["\(sum.sales)"], ["\(sum.refunds)"], ["\(sum.paid)"],
                    ["\(sum.commission)"],
                ]
            },
            empty: [p { "No sale yet." }]
        ).element
    }

    private var refusal: HTTPResponse {
        var response = Page("Partners", in: "en", kind: "sheet") {
            main(.class("pay")) {
                h1 { "Partners" }
                p { "This page is for approved partners, who show their token and their key." }
            }
        }.response(.unauthorized)
        response.fields["WWW-Authenticate"] = Self.realm
        return response
    }

    /// A day or a moment of the query, as RFC 3339 has them; nil if it is missing.
    private static func moment(_ name: String, _ request: HTTPRequest) throws -> Instant? {
        guard let text = request.target.query[name], !text.isEmpty else { return nil }
        guard let moment = try? Instant(rfc3339: text.contains("T") ? text : text + "T00:00:00Z") else {
            throw APIError(
                .badRequest, code: "value_invalid", "A moment is a day such as 2026-11-26, or one with its time.",
                parameter: name)
        }
        return moment
    }
}
