import Foundation
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

/// Every page of the console by every role: one without a row here fails. Forms are in ``RoleMatrixTests``.
@Suite("Who may look at what in the console", .bounded)
struct ConsoleRoleTests {
    /// Whose token somebody came in by: of the store, or of a member of the team `zoo`.
    private enum Visitor: String, CaseIterable {
        case `operator`, reviewer, support
        case teamOwner, teamDeveloper, teamFinance, teamReviewer, teamSupport

        var isMember: Bool { rawValue.hasPrefix("team") }
        var role: OperatorTokens.Role {
            OperatorTokens.Role(rawValue: isMember ? String(rawValue.dropFirst(4)).lowercased() : rawValue)
        }
        fileprivate var token: String {
            let number = UInt8(150 + (Self.allCases.firstIndex(of: self) ?? 0))
            return OperatorTokens.token(of: Array(repeating: number, count: OperatorTokens.byteCount))
        }
    }

    private static let everybody = Set(Visitor.allCases)
    private static let beginning = "/console/{environment}"
    private static let zoo = "com.example.zoo"

    /// Who may look at the pages, by their paths below an environment.
    private static let pages: [(visitors: Set<Visitor>, paths: String)] = [
        (
            everybody,
            """
            /apps /apps/{bundleId} /apps/{bundleId}/pulse /apps/{bundleId}/products/{productId} /apps/{bundleId}/settings
            /apps/{bundleId}/products/{productId}/image /apps/{bundleId}/products/{productId}/sheet
            /apps/{bundleId}/products/{productId}/content /apps/{bundleId}/products/{productId}/content/{number}
            /apps/{bundleId}/products/{productId}/edit /apps/{bundleId}/products/{productId}/screenshot
            /apps/{bundleId}/products/{productId}/offers /apps/{bundleId}/products/{productId}/new-offer
            /apps/{bundleId}/products/{productId}/offers/{offerId} /apps/{bundleId}/products/{productId}/prices
            /apps/{bundleId}/products/{productId}/prices/file.csv /apps/{bundleId}/groups /apps/{bundleId}/new-product
            /apps/{bundleId}/import /new-app /import /import/{file} /catalogue/drafts /keyboard /search /items /items/new
            /items/{storeId} /items/{storeId}/facts /items/{storeId}/files/{role}/{position}
            /items/{storeId}/versions/{version}/package/{position} /team /teams/{teamId} /agreements/{kind} /account /audit
            /audit.csv /audit.json
            /account/second-factor
            """
        ),
        (
            [.operator, .teamOwner, .teamFinance],
            "/finance /finance/statements/{teamId}/{month} /teams/{teamId}/finance"
        ),
        (
            everybody.subtracting([.teamFinance]),
            """
            /review /review/{bundleId}/products/{productId} /review/{bundleId}/versions/{version}
            /items/{storeId}/reviews
            """
        ),
        (
            [.operator, .teamOwner, .teamDeveloper],
            """
            /apps/{bundleId}/codes /apps/{bundleId}/codes/{batchId} /apps/{bundleId}/notifications /api-keys
            /apps/{bundleId}/notifications/{notificationUUID} /apps/{bundleId}/notification-settings
            /apps/{bundleId}/profile /apps/{bundleId}/export/{format}
            """
        ),
        (
            [.operator, .support],
            """
            /pulse /transactions /transactions/{transactionId} /transactions/{transactionId}/{act} /purchases
            /purchases/{purchase} /refunds /refunds/{id} /refunds/{id}/{act} /subscriptions
            /subscriptions/{subscriptionId} /subscriptions/{subscriptionId}/{act} /customers /customers/{customer}
            /customers/{customer}/recovery /customers/{customer}/clock/{act} /customers/{customer}/sheet /devices
            /devices/{device} /families /families/{customer} /ledger /ledger/postings /clock /clock/forecast /requests
            /requests/{request} /inspect /faults
            """
        ),
        (
            [.operator, .reviewer, .support], "/ratings"
        ),
        (
            [.operator],
            """
            /tokens /people /teams /teams/applications /partners /partners/{partner} /partners/{partner}/lines.csv /features
            /system /system/self-test /system/settings /system/backups /system/backups/{backup}
            /system/snapshots
            """
        ),
    ]

    /// The demo, which is of the first team, beside the team `zoo` with an app and a member of each role.
    private static func scene() async throws -> (bench: ListenerBench, cookies: [Visitor: String]) {
        let folder = NSTemporaryDirectory() + "till-roles-" + UUID().uuidString
        let bench = try await ListenerBench(.production, blobs: FolderBlobStore(folder: folder))
        #expect(try await bench.control("POST", "/teams", ["teamId": "zoo", "name": "Zoo"]).status == 201)
        let app = ["bundleId": zoo, "name": "Zoo", "teamId": "zoo"]
        #expect(try await bench.control("POST", "/apps", app).status == 201)
        let now = bench.time.current
        var cookies: [Visitor: String] = [:]
        for visitor in Visitor.allCases {
            let email = "\(visitor.rawValue.lowercased())@example.com"
            if visitor.isMember {
                let member = ["name": visitor.rawValue, "role": visitor.role.rawValue]
                #expect(try await bench.control("PUT", "/teams/zoo/members/\(email)", member).status == 200)
            }
            try await bench.databases.catalogue.write { transaction in
                _ = try OperatorTokens.add(
                    visitor.token, name: visitor.rawValue, for: .production, role: visitor.role,
                    member: visitor.isMember ? (try TeamID(parsing: "zoo"), email) : nil,
                    CatalogueChange(.owner, at: now, in: transaction))
            }
            let answer = try await bench.browse("/console/sign-in", ["token": visitor.token])
            cookies[visitor] = try ConsoleVisitor.cookie(of: answer)
        }
        return (bench, cookies)
    }

    private static func path(_ route: Route, _ known: [String: String]) -> String {
        let known = known.merging(["environment": "production"]) { first, _ in first }
        return route.pattern.text.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? known[String(segment.dropFirst().dropLast())] ?? "1" : String(segment)
        }.reduce("") { "\($0)/\($1)" }
    }

    private static func routes(of bench: ListenerBench, _ method: HTTPMethod) -> [(name: String, route: Route)] {
        bench.console.routes.filter { $0.method == method && $0.pattern.text.hasPrefix(beginning) }.map {
            (String($0.pattern.text.dropFirst(beginning.count)), $0)
        }
    }

    @Test("X14: Each role sees the pages that its row says, and no others; a page without a row fails")
    func matrix() async throws {
        let (bench, cookies) = try await Self.scene()
        var rows: [String: Set<Visitor>] = ["": [.operator, .support]]
        for row in Self.pages {
            for path in row.paths.split(whereSeparator: \.isWhitespace) { rows[String(path)] = row.visitors }
        }
        for (name, route) in Self.routes(of: bench, .get) {
            guard let row = rows.removeValue(forKey: name) else {
                Issue.record("the page \(name) has no row")
                continue
            }
            // What waits for news is asked for with a state that is old already.
            let path = Self.path(route, ["bundleId": Self.zoo]) + (name.hasSuffix("/pulse") ? "?after=old" : "")
            for (visitor, cookie) in cookies {
                let answer = try await bench.browse(path, nil, ["Cookie": cookie])
                #expect(answer.status < 500, "\(name) by \(visitor): \(answer.text)")
                #expect((answer.status == 403) == !row.contains(visitor), "\(name) by \(visitor): \(answer.status)")
            }
            // Without a session there is the entrance and nothing else.
            let stranger = try await bench.browse(path)
            #expect(stranger.status == 303 && stranger.fields["Location"] == "/console/sign-in", "\(name)")
        }
        #expect(rows.isEmpty, "rows without a page: \(rows.keys)")
    }

    @Test("X14, R1.9: A team sees nothing of another on any page, and no form of it does anything there")
    func otherTeams() async throws {
        let (bench, cookies) = try await Self.scene()
        let theirs = [
            "bundleId": ListenerBench.bundle, "productId": "\(ListenerBench.bundle).club", "teamId": "my-team",
            "offerId": "gift", "version": "1.0", "format": "storekit", "groupId": "club",
        ]
        let nowhere = theirs.merging(["bundleId": "com.example.nowhere", "teamId": "nowhere"]) { $1 }
        let before = try await bench.databases.catalogue.read { try CatalogueAudit.last(in: $0) }
        for (visitor, cookie) in cookies where visitor.isMember {
            let proof = try OperatorSessions.proof(of: String(cookie.dropFirst("till_console=".count)))
            for method in [HTTPMethod.get, .post] {
                for (name, route) in Self.routes(of: bench, method) {
                    guard name.contains("{bundleId}") || name.contains("{teamId}") else { continue }
                    let form = method == .post ? ["proof": proof] : nil
                    let answer = try await bench.browse(Self.path(route, theirs), form, ["Cookie": cookie])
                    let other = try await bench.browse(Self.path(route, nowhere), form, ["Cookie": cookie])
                    #expect(answer.status == other.status, "\(method) \(name) by \(visitor): \(answer.status)")
                    #expect(
                        [400, 403, 404, 415].contains(answer.status),
                        "\(method) \(name) by \(visitor): \(answer.status)")
                    #expect(!answer.text.contains("Monkey Credits") && !answer.text.contains("Monkey Club"), "\(name)")
                }
            }
            // Nor in any list.
            for name in ["/apps", "/catalogue/drafts", "/review", "/items", "/search?q=monkey", "/ratings"] {
                let list = try await bench.browse("/console/production\(name)", nil, ["Cookie": cookie])
                #expect(!list.text.contains(ListenerBench.bundle), "\(name) by \(visitor)")
            }
        }
        #expect(try await bench.databases.catalogue.read { try CatalogueAudit.last(in: $0) } == before)
    }
}
