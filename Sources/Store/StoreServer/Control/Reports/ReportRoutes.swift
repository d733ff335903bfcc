import StoreCatalogue
import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// How an environment is, what was asked of it lately, and what a text is that somebody has of it.
struct ReportRoutes: Sendable {
    private let store: ControlStore
    private let sales: EnvironmentStore

    init(_ store: ControlStore, _ sales: EnvironmentStore) {
        self.store = store
        self.sales = sales
    }

    private static let tag = "reports"

    var routes: [Route] {
        [
            .get("/control/v1/overview") { _ in
                try .json(OverviewReport(try await StoreOverview(of: sales)))
            }
            .described(
                "showOverview", "What was sold in 24 hours, and what needs somebody.", tag: Self.tag,
                answers: [.init(.ok, "The overview.", .of(OverviewReport.self))]),
            .get("/control/v1/requests", suspending: { try await requests($0) })
                .described(
                    "listRequests",
                    "The newest requests, the newest first, with what was answered; of all servers of a PostgreSQL.",
                    tag: Self.tag,
                    parameters: [
                        .query("refused", "Only those that were refused.", schema: .boolean()),
                        .query("id", "Only the one of this id, in the sandbox with its bodies, without their secrets."),
                        .query("device", "Only those of this device.", schema: DeviceID.schema),
                    ] + .page(by: .integer(minimum: 1)),
                    answers: [.init(.ok, "A page of them.", .of(Page<RequestReport>.self))],
                    refusals: [.deviceUnknown]),
            .post(
                "/control/v1/inspection", body: .collected(limit: Inspection.limit),
                suspending: { try await inspect($0) }
            )
            .described(
                "inspect", "What a receipt, a signed text or a profile is, and whether it is genuine.",
                tag: Self.tag, body: .of(InspectionRequest.self),
                answers: [.init(.ok, "What it is.", .of(InspectionReport.self))]),
        ]
    }

    /// What belongs to an app of a team.
    var appRoutes: [Route] {
        [
            .get("/control/v1/apps/{bundleId}/steps") { request in
                let app = try await store.editing(request).app(request[CataloguePaths.bundleID])
                let steps = try await sales.steps.list(of: app.id)
                return try .json(Page(steps.map(AppStepReport.init)))
            }
            .described(
                "listAppSteps", "What the app and its server were seen doing in this environment, and what not yet.",
                tag: Self.tag, parameters: [.path(CataloguePaths.bundleID, schema: BundleID.schema)],
                answers: [.init(.ok, "All steps.", .of(Page<AppStepReport>.self))], refusals: [.appUnknown])
        ]
    }

    private func requests(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (isRefused, id) = (try request.flag("refused"), request.target.query["id"])
        let wanted = try PageRequest<Int>(request)
        var bearer: [UInt8]??
        if let text = request.target.query["device"] {
            guard let device = DeviceID(text) else {
                throw APIError(.valueInvalid, "this is the number of a device", parameter: "device")
            }
            bearer = try await OperatorDevices(sales).bearer(of: device)
        }
        if let id {
            let known = await store.history?.entry(id)
            return try .json(Page([known].compactMap(\.self).map { RequestReport($0, withBodies: true) }))
        }
        let found = await store.history?.list(before: wanted.after, limit: wanted.rows) { [bearer] entry in
            (!isRefused || entry.isRefused) && (bearer == nil || entry.bearer == bearer)
        }
        return try .json(wanted.page(of: found ?? [], by: \.number) { RequestReport($0) })
    }

    private func inspect(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(InspectionRequest.self)
        let found = Inspection(
            of: wanted.text, askedIn: store.environment,
            signers: store.signers(), at: store.now())
        return try .json(InspectionReport(found))
    }
}

package struct OverviewReport: Codable, Hashable, Sendable {
    package struct Unfinished: Codable, Hashable, Sendable {
        package var bundleId: BundleID
        /// Missing for what no device asked for.
        package var appVersion: String?
        package var count: Int
        package var oldest: Instant
    }

    package struct Unsold: Codable, Hashable, Sendable {
        package var bundleId: BundleID
        /// Missing where the whole app sells nothing.
        package var productId: ProductID?
        package var reason: String
        package var explanation: String
    }

    package struct Ending: Codable, Hashable, Sendable {
        package var name: String
        package var endsAt: Instant
        package var remedy: String
    }

    package struct Withdrawn: Codable, Hashable, Sendable {
        package var bundleId: BundleID
        package var productId: ProductID
        package var storefronts: [StorefrontCode]
    }

    package struct DamagedBlob: Codable, Hashable, Sendable {
        package var digest: String
        /// Whether it is damaged or missing.
        package var kind: String
        package var usedBy: [String]
    }

    package struct Version: Codable, Hashable, Sendable {
        package var bundleId: BundleID
        package var version: String
    }

    package struct Sold: Codable, Hashable, Sendable {
        package var total: MoneyReport
        package var count: Int
    }

    package var apps: Int
    /// Whether there is a payment processor.
    package var canSell: Bool
    /// Purchases that wait for somebody.
    package var open: Int
    package var oldestOpen: Instant?
    /// Charges without an answer of the processor for more than a minute.
    package var unanswered: Int
    /// Transactions that should have been refunded in the last 24 hours, and could not.
    package var failedRefunds: [TransactionID]
    /// Requests for refunds that somebody has to decide.
    package var refundRequests: Int
    package var oldestRefundRequest: Instant?
    /// Transactions older than an hour that apps have not finished, by the version of the app.
    package var unfinished: [Unfinished]
    /// Certificates and tokens that end soon or have ended, each with the command that replaces it.
    package var endings: [Ending]
    /// What is not sold in the United States.
    package var unsold: [Unsold]
    /// What is sold there, and taken from sale in some storefronts.
    package var withdrawn: [Withdrawn]
    /// Pictures and content that are damaged or missing, in both environments.
    package var damagedBlobs: [DamagedBlob]
    /// Products that wait for a reviewer or are in review.
    package var reviews: Int
    /// Versions of apps that do, the oldest first.
    package var versionsInReview: [Version]
    package var subscriptions: SubscriptionFiguresReport
    /// In the last 24 hours, by currency.
    package var sold: [Sold]
    /// Purchases by hour, of the last 24 hours, the oldest first.
    package var boughtByHour: [Int]
    package var declinedByHour: [Int]

    init(_ overview: StoreOverview) {
        apps = overview.apps
        canSell = overview.canSell
        open = overview.open
        oldestOpen = overview.oldestOpen
        unanswered = overview.unanswered
        failedRefunds = overview.failedRefunds
        refundRequests = overview.refundRequests.count
        oldestRefundRequest = overview.refundRequests.oldest
        unfinished = overview.unfinished.map {
            Unfinished(bundleId: $0.bundle, appVersion: $0.version, count: $0.count, oldest: $0.oldest)
        }
        endings = overview.endings.map { Ending(name: $0.name, endsAt: $0.endsAt, remedy: "till \($0.remedy)") }
        unsold = overview.unsold.map {
            Unsold(
                bundleId: $0.bundle, productId: $0.product, reason: $0.obstacle.name,
                explanation: $0.obstacle.explanation)
        }
        withdrawn = overview.withdrawn.map {
            Withdrawn(bundleId: $0.bundle, productId: $0.product, storefronts: $0.storefronts)
        }
        damagedBlobs = overview.damagedBlobs.map {
            DamagedBlob(digest: $0.digest, kind: $0.kind.rawValue, usedBy: $0.uses)
        }
        reviews = overview.reviews.products
        versionsInReview = overview.reviews.versions.map { Version(bundleId: $0.bundle, version: $0.version) }
        subscriptions = SubscriptionFiguresReport(overview.subscriptions)
        sold = overview.sold.map { Sold(total: MoneyReport($0.total), count: $0.count) }
        boughtByHour = overview.hours.map(\.bought)
        declinedByHour = overview.hours.map(\.failed)
    }
}

package struct RequestReport: Codable, Hashable, Sendable {
    package var number: Int
    package var requestId: String
    package var date: Instant
    package var method: String
    /// Without secrets, and without what was asked.
    package var path: String
    package var status: Int
    /// The name of the reason, where it was refused.
    package var code: String?
    package var message: String?
    package var peer: String
    /// How often the same was asked one after the other, as a device does that waits.
    package var repeats: Int
    /// When it was asked the last time, and by which request.
    package var lastDate: Instant
    package var lastRequestId: String
    /// What was sent and answered, as JSON without its secrets; only of a single request, and in the sandbox.
    package var requestBody: String?
    package var responseBody: String?

    init(_ entry: RequestHistory.Entry, withBodies: Bool = false) {
        (repeats, lastDate, lastRequestId) = (entry.repeats, entry.lastAt, entry.lastId)
        if withBodies {
            requestBody = entry.request.map { String(decoding: $0, as: UTF8.self) }
            responseBody = entry.response.map { String(decoding: $0, as: UTF8.self) }
        }
        number = entry.number
        requestId = entry.id
        date = entry.at
        method = entry.method
        path = entry.path
        status = entry.status
        code = entry.code
        message = entry.message
        peer = entry.peer
    }
}

package struct InspectionRequest: Codable, Hashable, Sendable {
    /// A receipt in Base64, the body of a request to verifyReceipt, a signed text or a profile.
    package var text: String

    package init(text: String) {
        self.text = text
    }
}

package struct InspectionReport: Codable, Hashable, Sendable {
    package struct Finding: Codable, Hashable, Sendable {
        package var isError: Bool
        package var message: String
    }

    package var kind: String
    package var isGenuine: Bool
    /// The environment that signed it; missing if neither did.
    package var signedBy: StoreEnvironment?
    package var bundleId: BundleID?
    package var transactionIds: [TransactionID]
    package var contents: [String]
    package var findings: [Finding]
    /// What to do with it where it was sent to the wrong place.
    package var advice: String?

    init(_ found: Inspection) {
        kind = found.kind.rawValue
        isGenuine = found.isGenuine
        signedBy = found.signedBy
        bundleId = found.bundle
        transactionIds = found.transactions
        contents = found.contents
        findings = found.findings.map { Finding(isError: $0.isError, message: $0.message) }
        advice = found.advice
    }
}

package struct AppStepReport: Codable, Hashable, Sendable {
    package var step: String
    /// When it was seen for the first time; missing if it was not.
    package var date: Instant?
    /// What was wrong the last time.
    package var detail: String?

    init(_ entry: AppSteps.Entry) {
        step = entry.step.rawValue
        date = entry.at
        detail = entry.detail
    }
}
