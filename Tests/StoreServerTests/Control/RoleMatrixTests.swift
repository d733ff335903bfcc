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

/// Every route of the control interface by every kind of token: a route without a row here fails.
@Suite("Who may do what", .bounded)
struct RoleMatrixTests {
    /// Whose token it is. A reviewer and somebody of support are of the store, or members of a team.
    enum Bearer: String, CaseIterable {
        case `operator`, owner, developer, finance, reviewer, support
        case teamReviewer = "reviewer of a team"
        case teamSupport = "support of a team"

        var role: OperatorTokens.Role {
            switch self {
            case .teamReviewer: .reviewer
            case .teamSupport: .support
            default: OperatorTokens.Role(rawValue: rawValue)
            }
        }
        var isMember: Bool { ![.operator, .reviewer, .support].contains(self) }
        var token: String {
            OperatorTokens.token(of: Array(repeating: UInt8(utf8), count: OperatorTokens.byteCount))
        }
        private var utf8: Int { 100 + (Self.allCases.firstIndex(of: self) ?? 0) }
    }

    static let everybody = Set(Bearer.allCases)

    /// Who may, by the ids of operations.
    private static let rows: [(bearers: Set<Bearer>, operations: String)] = [
        (
            everybody,
            """
            listApps readApp listAppProducts readProduct readImage readItem explainProduct listVersions listGroups
            listOffers listTeams readTeam listChanges listAppSteps find listContent readContentVersion readContentArchive
            readContentUpload readGracePeriod listItems readItemDetails listArtists readReadiness
            listPrices exportPrices
            listDrafts readDraft
            readTeamPeople readAgreementText
            """
        ),
        // The store's own people are looked after by whoever has its machine, and by no token.
        (
            [],
            """
            putPerson removePerson putSecondFactorRule resetOwnersSecondFactor inviteStore revokeInvitationStore
            recoverPersonStore resetSecondFactorStore endSessionStore
            """
        ),
        (
            [.operator, .owner, .developer],
            """
            addApp changeApp removeVersion removeText prepareSubmission moveLevel setPrices discardDrafts discardField publishDrafts
            setCapabilities importProducts importCatalogue exportCatalogue exportApp exportStoreKit putProduct removeProduct clearProduct withholdProduct setPrice setBasePrice
            removePrice setTaxCategory hostContent hostNoContent schedulePrice cancelPrice putImage removeImage addVersion
            submitVersion rejectVersion putGroup removeGroup putOffer removeOffer submitProduct withdrawProduct readAppSecret makeAppSecret removeAppSecret
            listOfferKeys addOfferKey revokeOfferKey listCodes makeCodes readCodes deactivateCodes
            listNotificationSettings readNotificationSetting setNotifications removeNotifications listNotifications
            showNotification resendNotification testNotifications listen hearNotifications answerNotification
            stopListening
            makeProfile beginContentUpload abandonContentUpload putContentPart completeContentUpload withdrawContent
            setGracePeriod raisePrice listAPIKeys addAPIKey revokeAPIKey
            addItem changeItem removeItem submitItem setVersionNote setItemPrice setItemStorefrontPrice
            removeItemStorefrontPrice putItemFile removeItemFile addArtist renameArtist
            """
        ),
        (
            everybody.subtracting([.finance]),
            """
            listReviews readReview readCustomerReview listItemReviews listReviewQueue readReviewChanges
            readVersionReviewChanges
            """
        ),
        // What customers wrote is judged by the store too.
        ([.operator, .reviewer, .support], "listReportedReviews"), ([.operator, .reviewer], "decideCustomerReview"),
        ([.operator, .owner, .developer], "answerReview takeBackAnswer"),
        // Review is the store's: nobody of a team decides about what the team sells.
        (
            [.operator, .reviewer],
            """
            beginReview decideReview removeFromSale putBackOnSale beginVersionReview decideVersion approveProduct
            decideReviews
            """
        ),
        (
            [.operator, .owner],
            """
            putMember removeMember inviteTeam revokeInvitationTeam recoverPersonTeam resetSecondFactorTeam endSessionTeam
            """
        ),
        (
            [.operator, .owner, .finance],
            """
            readProceeds exportProceeds reportMoney readStatement acceptAgreement readFinance setFinance
            """
        ),
        (
            [.operator],
            """
            readPeople readSecondFactorRule listApplications approveApplication refuseApplication publishAgreementText
            addTeam suspendTeam reinstateTeam endAgreement readPrimarySecret makePrimarySecret
            removePrimarySecret reindexSearch listFeatures setFeatures
            listPartners readPartner createPartner approvePartner replacePartnerKey endPartner setPartnerCommission
            readPartnerReport exportPartnerReport listPartnerFeeds makePartnerFeed readPartnerFeed
            showSystem rotateKeys runSelfTest listSettings listBackups makeBackup showBackup verifyBackup
            listSnapshots saveSnapshot
            """
        ),
        (
            [.operator, .support],
            """
            listCustomers addCustomer showCustomer changeCustomer deleteCustomer addPaymentMethod removePaymentMethod
            beginPasswordRecovery recoverCustomerPassword listDevices showAnyDevice changeDevice signDeviceOut buy
            listPurchases explainPurchase cancelAnyPurchase settlePurchase settleVoid approve
            listApprovals approvePurchase declinePurchase listFamilies createFamily showFamily addFamilyMember removeFamilyMember listAllTransactions
            showLastTransaction showTransaction showAnyReceipt refund revoke redeliver finishAnyTransaction checkLedger
            listLedgerEntries listLedgerBalances listLedgerPostings showOverview listRequests inspect showClock changeClock advanceClock
            forecastClock forecastClockOfCustomer
            showClockOfCustomer changeClockOfCustomer advanceClockOfCustomer
            listEligibility redeemCode listFaults addFault clearFaults removeFault withdrawConsent giveConsent
            listRefundRequests showRefundRequest requestRefund withdrawRefundRequest approveRefundRequest declineRefundRequest reverseRefund
            sendConsumption
            listSubscriptions showSubscription cancelSubscription
            resumeSubscription expireSubscription forceRenewal resolveBilling answerPriceIncrease requestPriceConsent
            extendSubscription extendAllSubscriptions showExtension
            """
        ),
    ]

    /// What only actors of production do, on whichever listener.
    private static let ofProduction = Set(
        """
        beginReview decideReview removeFromSale putBackOnSale beginVersionReview decideVersion approveProduct putMember
        removeMember acceptAgreement endAgreement readFinance setFinance suspendTeam reinstateTeam addOfferKey revokeOfferKey
        publishDrafts reindexSearch listFeatures setFeatures listSettings listBackups makeBackup showBackup verifyBackup decideReviews
        putPerson removePerson putSecondFactorRule resetOwnersSecondFactor inviteStore revokeInvitationStore
        recoverPersonStore resetSecondFactorStore endSessionStore
        inviteTeam revokeInvitationTeam recoverPersonTeam resetSecondFactorTeam endSessionTeam
        approveApplication refuseApplication publishAgreementText publishDrafts
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// What concerns the catalogue that both environments have.
    private static let shared = Set(
        """
        listApps readApp listAppProducts readProduct readImage readItem explainProduct listVersions listGroups listOffers
        listTeams readTeam listChanges listContent readContentVersion readContentArchive readContentUpload
        listDrafts readDraft discardDrafts discardField
        readGracePeriod readReadiness addApp changeApp removeVersion removeText prepareSubmission moveLevel setCapabilities importProducts importCatalogue exportCatalogue exportApp exportStoreKit
        putProduct removeProduct clearProduct withholdProduct setPrice setBasePrice removePrice setTaxCategory
        hostContent hostNoContent schedulePrice cancelPrice putImage removeImage addVersion submitVersion rejectVersion
        putGroup removeGroup putOffer removeOffer submitProduct withdrawProduct listOfferKeys
        beginContentUpload abandonContentUpload putContentPart completeContentUpload withdrawContent
        setGracePeriod listReviews readReview addTeam listPrices exportPrices setPrices
        listReviewQueue readReviewChanges readVersionReviewChanges
        listItems readItemDetails listArtists addItem changeItem removeItem submitItem setVersionNote setItemPrice
        setItemStorefrontPrice removeItemStorefrontPrice putItemFile removeItemFile addArtist renameArtist
        readTeamPeople readAgreementText readPeople readSecondFactorRule listApplications
        listDrafts readDraft discardDrafts discardField
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    static let zoo = "com.example.zoo"

    /// A store with the demo, which is of the first team, and a team beside it that has an app and a member of each role.
    static func bench() async throws -> ListenerBench {
        let bench = try await ListenerBench(.production)
        #expect(try await bench.control("POST", "/teams", ["teamId": "zoo", "name": "Zoo"]).status == 201)
        let app = ["bundleId": zoo, "name": "Zoo", "teamId": "zoo"]
        #expect(try await bench.control("POST", "/apps", app).status == 201)
        let now = bench.time.current
        for bearer in Bearer.allCases where bearer != .operator {
            let email = "\(bearer)@example.com".lowercased()
            if bearer.isMember {
                let member = ["name": bearer.rawValue, "role": bearer.role.rawValue]
                #expect(try await bench.control("PUT", "/teams/zoo/members/\(email)", member).status == 200)
            }
            try await bench.databases.catalogue.write { transaction in
                _ = try OperatorTokens.add(
                    bearer.token, name: "a-\(bearer.rawValue)", for: .production, role: bearer.role,
                    member: bearer.isMember ? (try TeamID(parsing: "zoo"), email) : nil,
                    CatalogueChange(.owner, at: now, in: transaction))
            }
        }
        return bench
    }

    static func token(of bearer: Bearer) -> String {
        bearer == .operator ? ListenerBench.token : bearer.token
    }

    static func path(_ route: Route, app: String, team: String) -> String {
        let known = ["bundleId": app, "teamId": team, "storefront": "USA", "kind": "free", "email": "x@example.com"]
        return route.pattern.text.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? known[String(segment.dropFirst().dropLast())] ?? "1" : String(segment)
        }.reduce("") { "\($0)/\($1)" }
    }

    private static func ask(
        _ bench: ListenerBench, _ route: Route, app: String, team: String, as bearer: Bearer
    ) async throws -> ListenerBench.Answer {
        try await bench.ask(
            route.method.rawValue, path(route, app: app, team: team),
            [.put, .post, .patch].contains(route.method) && route.body != .none ? [:] : nil, token: token(of: bearer))
    }

    @Test("X14: Each role may do what its row says, and nothing else; a route without a row fails")
    func matrix() async throws {
        let bench = try await Self.bench()
        var rows: [String: Set<Bearer>] = [:]
        for row in Self.rows {
            for id in row.operations.split(whereSeparator: \.isWhitespace) {
                #expect(rows.updateValue(row.bearers, forKey: String(id)) == nil, "\(id) has two rows")
            }
        }
        for route in bench.listener.routes where route.documentation?.bearer == "operatorToken" {
            let id = try #require(route.documentation?.id)
            let found = rows.removeValue(forKey: id)
            let row = try #require(found, "\(id) has no row")
            for bearer in Bearer.allCases {
                let answer = try await Self.ask(bench, route, app: Self.zoo, team: "zoo", as: bearer)
                #expect(![401, 500].contains(answer.status), "\(id) by \(bearer.rawValue): \(answer.text)")
                // What production refuses whoever asks is no refusal of the role.
                let isRefused = answer.status == 403 && !answer.text.contains("\"sandbox_only\"")
                #expect(isRefused == !row.contains(bearer), "\(id) by \(bearer.rawValue): \(answer.text)")
            }
        }
        #expect(rows.isEmpty, "rows without a route")
    }

    @Test(
        "X14: A token of one environment does nothing in the other, nor to what production sells or where its money goes"
    )
    func environments() async throws {
        for listener in [StoreEnvironment.sandbox, .production] {
            let bench = try await ListenerBench(listener)
            for environment in [StoreEnvironment.sandbox, .production] {
                let (token, now) = (OperatorTokens.token(of: try RandomBytes()(32)), bench.time.current)
                try await bench.databases.catalogue.write {
                    _ = try OperatorTokens.add(
                        token, name: "of-\(environment)", for: environment, CatalogueChange(.owner, at: now, in: $0))
                }
                for route in bench.listener.routes where route.documentation?.bearer == "operatorToken" {
                    let id = try #require(route.documentation?.id)
                    let takesBody = [.put, .post, .patch].contains(route.method) && route.body != .none
                    let answer = try await bench.ask(
                        route.method.rawValue, Self.path(route, app: Self.zoo, team: "zoo"), takesBody ? [:] : nil,
                        token: token)
                    let wanted: StoreEnvironment? =
                        Self.ofProduction.contains(id) ? .production : Self.shared.contains(id) ? nil : listener
                    let isRefused = wanted != nil && wanted != environment
                    let code = wanted == .production ? "production_required" : "not_allowed"
                    #expect(
                        isRefused ? answer.status == 403 && answer.code == code : answer.code != "production_required",
                        "\(id) on \(listener) by a token of \(environment): \(answer.text)")
                }
            }
        }
    }

    @Test(
        "A version is decided about by a reviewer of the store, of production: neither by a token of the sandbox nor of a team"
    )
    func versions() async throws {
        let bench = try await Self.bench()
        let version = "/control/v1/apps/\(Self.zoo)/versions/1.0"
        #expect(try await bench.control("POST", "/apps/\(Self.zoo)/versions", ["version": "1.0"]).status == 201)
        #expect(try await bench.control("POST", "/apps/\(Self.zoo)/versions/1.0/submission").status == 200)
        #expect(try await bench.control("POST", "/apps/\(Self.zoo)/versions/1.0/review").status == 200)
        let (sandbox, now) = (OperatorTokens.token(of: try RandomBytes()(32)), bench.time.current)
        try await bench.databases.catalogue.write {
            _ = try OperatorTokens.add(sandbox, name: "ci", for: .sandbox, CatalogueChange(.owner, at: now, in: $0))
        }
        for (token, code) in [(sandbox, "production_required"), (Bearer.teamReviewer.token, "not_allowed")] {
            let answer = try await bench.ask("POST", version + "/decision", ["isApproved": true], token: token)
            #expect(answer.status == 403 && answer.code == code, "\(answer.text)")
        }
        let decided = try await bench.ask(
            "POST", version + "/decision", ["isApproved": true], token: Bearer.reviewer.token)
        #expect(decided.status == 200, "\(decided.text)")
        let history = try await bench.control("GET", "/audit?subject=")
        #expect(history.text.contains("operator\\/a-reviewer") || history.text.contains("operator/a-reviewer"))
    }

    @Test("X14: A team sees and changes nothing of another team, and makes no app in passing")
    func otherTeams() async throws {
        let bench = try await Self.bench()
        // Something of the first team in every list.
        let app = "/apps/\(ListenerBench.bundle)"
        let new: [String: Any] = [
            "type": "Consumable", "referenceName": "New", "price": ["amount": "0.99", "currency": "USD"],
            "texts": ["en-US": ["title": "New", "description": ""]],
        ]
        let path = app + "/products/\(ListenerBench.bundle).new"
        #expect(try await bench.control("PUT", path, new).status == 200)
        let submission = ["category": "content", "delivers": "x"]
        #expect(try await bench.control("POST", path + "/submission", submission).status == 200)
        let storeID = try #require(try await bench.control("GET", app).json["appId"] as? Int)

        for route in bench.listener.routes where route.documentation?.bearer == "operatorToken" {
            let id = try #require(route.documentation?.id)
            let names = route.pattern.text
            let row = Self.rows.first { $0.operations.split(whereSeparator: \.isWhitespace).contains { $0 == id } }
            guard names.contains("{bundleId}") || names.contains("{teamId}") else { continue }
            for bearer in row?.bearers ?? [] where bearer.isMember {
                for name in [ListenerBench.bundle, "com.example.nowhere"] {
                    let answer = try await Self.ask(bench, route, app: name, team: "my-team", as: bearer)
                    #expect(answer.status == 404, "\(id) by \(bearer.rawValue): \(answer.text)")
                    #expect(["app_unknown", "team_unknown"].contains(answer.code), "\(id): \(answer.text)")
                }
            }
        }
        let owner = Bearer.owner.token
        for list in ["apps", "teams", "reviews", "audit", "catalogue", "items/\(storeID)"] {
            let answer = try await bench.ask("GET", "/control/v1/\(list)", token: owner)
            #expect(answer.status == (list.hasPrefix("items") ? 404 : 200))
            #expect(!answer.text.contains(ListenerBench.bundle) && !answer.text.contains("my-team"), "\(list)")
            let all = try await bench.control("GET", "/\(list)")
            #expect(all.text.contains(ListenerBench.bundle) || all.text.contains("my-team"), "\(list): \(all.text)")
        }
        let profile = try await bench.ask(
            "POST", "/control/v1/profiles", ["bundleId": ListenerBench.bundle], token: owner)
        #expect(profile.status == 404 && profile.code == "app_unknown")
        #expect(try await bench.ask("POST", "/control/v1/profiles", ["bundleId": Self.zoo], token: owner).status == 200)
        let file: [String: Any] = ["version": ["major": 2], "products": [] as [Any]]
        for name in [ListenerBench.bundle, "com.example.nowhere"] {
            let whole: [String: Any] = [
                "format": "till-catalogue", "version": 1, "apps": [["bundleId": name, "name": "Taken"]],
            ]
            let refused = try await bench.ask("PUT", "/control/v1/catalogue", whole, token: owner)
            #expect(refused.status == 404 && refused.code == "app_unknown", "\(refused.text)")
        }
        // Nor does anybody but the store enrol teams, by a file either.
        let enrolling: [String: Any] = [
            "format": "till-catalogue", "version": 1, "apps": [["bundleId": Self.zoo]],
            "teams": [["teamId": "rivals", "name": "Rivals"]],
        ]
        let enrolled = try await bench.ask("PUT", "/control/v1/catalogue", enrolling, token: owner)
        #expect(enrolled.status == 403 && enrolled.code == "not_allowed", "\(enrolled.text)")
        let made = try await bench.ask("PUT", "/control/v1/apps/com.example.nowhere/import", file, token: owner)
        #expect(made.status == 404 && made.code == "app_unknown")
        #expect(try await bench.control("GET", "/apps/com.example.nowhere").status == 404)
    }
}
