import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreWeb
import TestSupport
import Testing

@testable import StoreServer

/// Every form of the console by every kind of token.
extension RoleMatrixTests {
    /// Who may send the forms of the console, by their paths below an environment, and whether a token of the other
    /// environment may.
    private static let forms: [(bearers: Set<Bearer>, isShared: Bool, paths: String)] = [
        (
            [.operator, .owner, .developer], true,
            """
            /apps/{bundleId}/grace-period /apps/{bundleId}/products/{productId}/{act}
            /apps/{bundleId}/products/{productId}/prices /apps/{bundleId}/products/{productId}/prices/file
            /apps/{bundleId}/products/{productId}/prices/schedule
            /apps/{bundleId}/products/{productId}/prices/cancellation /apps/{bundleId}/products/{productId}/prices/tax
            /apps/{bundleId}/products/{productId}/image /apps/{bundleId}/products/{productId}/content
            /apps/{bundleId}/products/{productId}/content/{number}/withdrawal
            /apps/{bundleId}/products/{productId}/hosting/{act} /apps/{bundleId}/products/{productId}/submission/{act}
            /catalogue/drafts/removal /new-app /import /import/{file} /apps/{bundleId}/new-product /apps/{bundleId}/settings
            /apps/{bundleId}/capabilities /apps/{bundleId}/versions /apps/{bundleId}/versions/{version}/{act}
            /apps/{bundleId}/groups /apps/{bundleId}/groups/{groupId} /apps/{bundleId}/groups/{groupId}/levels
            /apps/{bundleId}/groups/{groupId}/removal /apps/{bundleId}/products/{productId}/edit
            /apps/{bundleId}/products/{productId}/screenshot /apps/{bundleId}/products/{productId}/image-removal
            /apps/{bundleId}/products/{productId}/removal /apps/{bundleId}/products/{productId}/offers
            /apps/{bundleId}/products/{productId}/new-offer /apps/{bundleId}/products/{productId}/offers/{offerId}
            /items /items/{storeId}/facts /items/{storeId}/price /items/{storeId}/removal
            /items/{storeId}/files/{role}/{position} /items/{storeId}/versions/{version}/package/{position}
            """
        ),
        (
            [.operator, .owner, .developer], false,
            """
            /apps/{bundleId}/products/{productId}/price-increase /apps/{bundleId}/codes
            /apps/{bundleId}/codes/{batchId}/deactivation /apps/{bundleId}/offer-keys /apps/{bundleId}/offer-keys/revocation
            /api-keys /api-keys/revocation /apps/{bundleId}/notifications/test
            /apps/{bundleId}/notifications/{notificationUUID}/resend
            /apps/{bundleId}/notification-settings /apps/{bundleId}/notification-settings/removal
            /items/{storeId}/reviews/{reviewId}/answer /catalogue/drafts/publication
            """
        ),
        (
            [.operator, .reviewer], false,
            """
            /apps/{bundleId}/products/{productId}/review/{act} /ratings/{reviewId}/{act} /review/approvals
            /review/{bundleId}/products/{productId}/decision /review/{bundleId}/versions/{version}/decision
            """
        ),
        (
            [.operator, .support], false,
            """
            /clock/{act} /devices/{device}/{act} /customers /customers/{customer}/clock/{act} /customers/{customer}/{act}
            /inspect /customers/{customer}/recovery /refunds/{id}/{act} /transactions/{transactionId}/{act}
            /purchases/{purchase}/{act} /subscriptions/{subscriptionId}/{act} /faults /faults/clearance /ledger/check
            """
        ),
        // Of those only the owner makes and ends tokens; `ConsoleTests.foreignTokens` has that.
        (
            [.operator], false,
            """
            /secrets/{bundleId} /partners /partner-feeds /partners/{partner}/approval /partners/{partner}/key
            /partners/{partner}/{act} /features /system/keys/rotation /system/self-test /system/backups
            /system/backups/{backup}/verification /system/snapshots
            """
        ),
        (
            [], false,
            """
            /tokens /tokens/revocation /people/invitations /people/recovery /people/invitations/withdrawal /people/role
            /people/removal /people/second-factor /people/session /people/rule
            """
        ),
        // What everybody does for themselves.
        (
            everybody, true,
            """
            /account/password /account/session /account/membership /account/second-factor
            /account/second-factor/confirmation /account/second-factor/recovery /account/second-factor/removal
            """
        ),
        ([.operator], true, "/teams"),
        (
            [.operator], false,
            """
            /teams/applications/{applicationId}/approval /teams/applications/{applicationId}/refusal /agreements/{kind}
            /teams/{teamId}/suspension /teams/{teamId}/reinstatement /teams/{teamId}/agreements/end
            """
        ),
        (
            [.operator, .owner], false,
            """
            /teams/{teamId}/invitations /teams/{teamId}/recovery /teams/{teamId}/invitations/withdrawal
            /teams/{teamId}/role /teams/{teamId}/removal /teams/{teamId}/second-factor /teams/{teamId}/session
            """
        ),
        ([.operator, .owner, .finance], false, "/teams/{teamId}/agreements /teams/{teamId}/finance"),
        (
            [.operator, .support], false,
            """
            /families /families/{customer}/members /families/{customer}/asking /families/{customer}/decision
            /families/{customer}/removal /apps/{bundleId}/products/{productId}/purchase
            """
        ),
    ]

    @Test(
        "X14: Each role sends the forms of the console that its row says, in its environment; a form without a row fails"
    )
    func consoleForms() async throws {
        let bench = try await Self.bench()
        var rows: [String: (bearers: Set<Bearer>, isShared: Bool)] = [:]
        for row in Self.forms {
            for path in row.paths.split(whereSeparator: \.isWhitespace) {
                rows[String(path)] = (row.bearers, row.isShared)
            }
        }
        var cookies: [(bearer: Bearer, isElsewhere: Bool, cookie: String)] = []
        for bearer in Bearer.allCases {
            let answer = try await bench.browse("/console/sign-in", ["token": Self.token(of: bearer)])
            cookies.append((bearer, false, try ConsoleVisitor.cookie(of: answer)))
        }
        cookies.append((.operator, true, try await ConsoleVisitor.visitor(bench, .operator).cookie))
        let beginning = "/console/{environment}"
        for route in bench.console.routes where route.method == .post && route.pattern.text.hasPrefix(beginning) {
            let name = String(route.pattern.text.dropFirst(beginning.count))
            let found = rows.removeValue(forKey: name)
            let row = try #require(found, "\(name) has no row")
            let path = Self.path(route, app: Self.zoo, team: "zoo").replacing("/console/1", with: "/console/production")
            for (bearer, isElsewhere, cookie) in cookies {
                let proof = try OperatorSessions.proof(of: String(cookie.dropFirst("till_console=".count)))
                let answer = try await bench.browse(path, ["proof": proof], ["Cookie": cookie])
                let may = row.bearers.contains(bearer) && (row.isShared || !isElsewhere)
                #expect(
                    (answer.status == 403) == !may, "\(name) by \(bearer.rawValue), \(isElsewhere): \(answer.status)")
            }
        }
        #expect(rows.isEmpty, "rows without a form: \(rows.keys)")
    }
}
