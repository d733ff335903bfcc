import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// Partners of the store, what came of their links, and the feeds that they fetch, by HTTP.
struct PartnerRoutes: Sendable {
    private let store: EnvironmentStore
    private let partners: Partners
    private let feeds: PartnerFeeds

    private static let tag = "partners"
    private static let path = "/control/v1/partners"
    private static let feedPath = "/control/v1/partner-feeds"
    private static let token = PathParameter<String>("partner", rule: "the token of a partner") {
        Partners.isToken($0) ? $0 : nil
    }
    private static let number = PathParameter<Int64>("number", rule: "the number of a feed")

    init(_ store: EnvironmentStore, blobs: BlobSource) {
        self.store = store
        partners = Partners(store)
        feeds = PartnerFeeds(store, blobs: blobs.callAsFunction)
    }

    var routes: [Route] { readers + changes + reports + feedRoutes }

    private var readers: [Route] {
        [
            .get(RoutePattern(Self.path), suspending: { try await list($0) })
                .described(
                    "listPartners", "The partners of the store, those that ended too.", tag: Self.tag,
                    parameters: .page(by: .string()),
                    answers: [.init(.ok, "In order of their tokens.", .of(Page<PartnerMessage>.self))]),
            .get(
                RoutePattern(Self.path + "/{partner}"),
                suspending: { request in
                    let token = try request[Self.token]
                    return try .json(
                        PartnerMessage(
                            await partners.find(token, for: request.actor),
                            await partners.history(of: token, for: request.actor)))
                }
            )
            .described(
                "readPartner", "A partner, with what happened to it.", tag: Self.tag, parameters: [.path(Self.token)],
                answers: [.init(.ok, "The partner.", .of(PartnerMessage.self))], refusals: [.nameUnknown]),
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try PageRequest(request, of: String.self)
        let found = try await partners.list(after: page.after, limit: page.rows, for: request.actor)
        return try .json(page.page(of: found, by: \.token) { PartnerMessage($0) })
    }

    private var changes: [Route] {
        [
            .post(RoutePattern(Self.path), suspending: { try await create($0) })
                .described(
                    "createPartner", "Enters somebody who wants to be a partner. Nothing earns before an approval.",
                    tag: Self.tag, body: .of(PartnerRequest.self),
                    answers: [.init(.created, "The partner.", .of(PartnerMessage.self))], refusals: [.limitReached]),
            change("/approval", "approvePartner", "Lets a partner's links earn, and makes the key for the feed.") {
                let made = try await partners.approve($0, $1)
                return PartnerMessage(made.partner, key: made.key)
            },
            change("/key", "replacePartnerKey", "Makes another key in the place of the former one.") {
                let made = try await partners.replaceKey($0, $1)
                return PartnerMessage(made.partner, key: made.key)
            },
            change("/end", "endPartner", "Ends it with a partner. What was earned stays owed.") {
                PartnerMessage(try await partners.end($0, $1))
            },
            .put(RoutePattern(Self.path + "/{partner}/commission"), suspending: { try await setCommission($0) })
                .described(
                    "setPartnerCommission", "Gives a partner another commission, for sales from now on.", tag: Self.tag,
                    parameters: [.path(Self.token)], body: .of(CommissionRequest.self),
                    answers: [.init(.ok, "The partner.", .of(PartnerMessage.self))], refusals: [.nameUnknown]),
        ]
    }

    /// A change of a partner that takes no body.
    private func change(
        _ path: String, _ id: String, _ summary: String,
        _ body: @escaping @Sendable (String, ChangeCause) async throws -> PartnerMessage
    ) -> Route {
        .post(
            RoutePattern(Self.path + "/{partner}" + path), body: BodyPolicy.none,
            suspending: { request in try .json(await body(request[Self.token], request.cause(in: store))) }
        )
        .described(
            id, summary, tag: Self.tag, parameters: [.path(Self.token)],
            answers: [.init(.ok, "The partner.", .of(PartnerMessage.self))], refusals: [.nameUnknown, .stateWrong])
    }

    private func create(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(PartnerRequest.self)
        let made = try await partners.create(
            wanted.name, email: wanted.email, commission: Proportion(percentMilliunits: wanted.commission),
            request.cause(in: store))
        return try .json(PartnerMessage(made), status: .created)
    }

    private func setCommission(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(CommissionRequest.self)
        let changed = try await partners.setCommission(
            Proportion(percentMilliunits: wanted.commission), of: request[Self.token], request.cause(in: store))
        return try .json(PartnerMessage(changed))
    }

    // MARK: Reports

    private var reports: [Route] {
        let path = Self.path + "/{partner}/report"
        let parameters: [OperationDocumentation.Parameter] = [
            .path(Self.token), .query("from", "From this moment of the store's clock on.", schema: Instant.schema),
            .query("until", "Before this moment.", schema: Instant.schema),
        ]
        return [
            .get(
                RoutePattern(path),
                suspending: { request in
                    let (start, end) = (try request.moment("from"), try request.moment("until"))
                    let report = try await partners.report(
                        on: request[Self.token], from: start, until: end, for: request.actor)
                    return try .json(PartnerReportAnswer(report, store.environment, from: start, until: end))
                }
            )
            .described(
                "readPartnerReport", "What came of a partner's links, from the ledger.", tag: Self.tag,
                parameters: parameters, answers: [.init(.ok, "The report.", .of(PartnerReportAnswer.self))],
                refusals: [.nameUnknown]),
            .get(
                RoutePattern(path + ".csv"),
                suspending: { request in
                    let partner = try await partners.find(request[Self.token], for: request.actor)
                    return .partnerLines(
                        of: partner, from: try request.moment("from"), until: try request.moment("until"), partners)
                }
            )
            .described(
                "exportPartnerReport", "The single sales and refunds as a table. It names no customer.", tag: Self.tag,
                parameters: parameters,
                answers: [.init(.ok, "A row for each booking, in their order.", .text("text/csv"))],
                refusals: [.nameUnknown]),
        ]
    }

    // MARK: Feeds

    private var feedRoutes: [Route] {
        [
            .get(
                RoutePattern(Self.feedPath),
                suspending: { request in
                    let found = try await feeds.list(limit: PageLimits.usual, for: request.actor)
                    return try .json(Page(found.map { FeedMessage($0) }))
                }
            )
            .described(
                "listPartnerFeeds", "The partner feeds, the newest first.", tag: Self.tag,
                answers: [.init(.ok, "At most \(PageLimits.usual).", .of(Page<FeedMessage>.self))]),
            .post(
                RoutePattern(Self.feedPath),
                suspending: { request in
                    let wanted = try request.decode(FeedRequest.self)
                    return try .json(
                        FeedMessage(await feeds.make(wanted.mode, for: request.actor)), status: .accepted)
                }
            )
            .described(
                "makePartnerFeed", "Begins a partner feed; the one that is being made, if there is one.", tag: Self.tag,
                body: .of(FeedRequest.self),
                answers: [.init(.accepted, "The feed, which is being made.", .of(FeedMessage.self))],
                refusals: [.stateWrong]),
            .get(
                RoutePattern(Self.feedPath + "/{number}"),
                suspending: { request in
                    try .json(FeedMessage(await feeds.details(of: request[Self.number], for: request.actor)))
                }
            )
            .described(
                "readPartnerFeed", "A partner feed, with its tables.", tag: Self.tag,
                parameters: [.path(Self.number)],
                answers: [.init(.ok, "The feed.", .of(FeedMessage.self))], refusals: [.nameUnknown]),
        ]
    }
}
