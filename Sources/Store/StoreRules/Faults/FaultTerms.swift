package import StoreModel

/// What somebody asks to go wrong, as commands, requests and tables have it: every member is left out that is not meant.
package struct FaultTerms: Codable, Hashable, Sendable {
    /// Paths, in which `*` stands for anything; all that there are where it is missing.
    package var path: String?
    package var method: String?
    /// Whether it is about notifications, and not about requests.
    package var notifications: Bool?
    /// Notifications of this type only.
    package var notificationType: String?
    package var bundleId: BundleID?
    /// The number or the address of an account.
    package var customer: String?
    /// Which call alone, every which one, or how many of a hundred by the seed.
    package var call: Int?
    package var every: Int?
    package var percent: Int?
    package var seed: Int?
    /// How many calls at most.
    package var times: Int?
    package var delayMilliseconds: Int?
    package var status: Int?
    package var retryAfterSeconds: Int?
    /// `before` or `after` it is acted on.
    package var drop: String?
    package var duplicate: Bool?
    package var reorder: Bool?

    package init() {}
}

extension FaultRule {
    /// The rule that somebody asks for, or what is wrong with it.
    ///
    /// The customer is for the caller to find: terms name accounts by address too.
    package init(_ terms: FaultTerms, customer: CustomerID? = nil) throws(InvalidValue) {
        let effect = try Self.effect(terms)
        let delay = terms.delayMilliseconds ?? 0
        try Self.require((0...FaultLimits.delay).contains(delay), "delayMilliseconds", delay, FaultLimits.delayRule)
        guard effect != nil || delay > 0 else {
            throw InvalidValue(
                subject: "fault", value: "", rule: "has a status, a delay, a drop, a duplicate or another order")
        }
        if let times = terms.times {
            try Self.require(FaultLimits.calls.contains(times), "times", times, FaultLimits.callRule)
        }
        target = try Self.target(terms, effect)
        bundle = terms.bundleId
        self.customer = customer
        choice = try Self.choice(terms)
        most = terms.times
        self.delay = .milliseconds(delay)
        self.effect = effect
    }

    private static func require(
        _ holds: Bool, _ subject: String, _ value: (some CustomStringConvertible)?, _ rule: String
    ) throws(InvalidValue) {
        guard !holds else { return }
        throw InvalidValue(subject: subject, value: value?.description ?? "", rule: rule)
    }

    private static func target(_ terms: FaultTerms, _ effect: Effect?) throws(InvalidValue) -> Target {
        if terms.notifications == true {
            try require(terms.path == nil, "path", terms.path, "is for requests, and notifications have none")
            try require(terms.method == nil, "method", terms.method, "is for requests, and notifications have none")
            if case .status(let status, _)? = effect {
                try require(
                    FaultLimits.answers.contains(status), "status", status,
                    "is from 300 to 599 for notifications: what the receiver is taken to have answered")
            }
            try require(
                terms.notificationType.map(NotificationType.sent.contains) ?? true, "notificationType",
                terms.notificationType, "is one of \(NotificationType.sent.joined(separator: ", "))")
            return .notifications(type: terms.notificationType)
        }
        try require(
            terms.notificationType == nil, "notificationType", terms.notificationType, "is for notifications only")
        try require(effect != .reorder, "reorder", true, "is for notifications only")
        let pattern = try PathPattern(terms.path ?? "*")
        if case .status(let status, _)? = effect { try require(status, at: pattern) }
        let method = terms.method?.uppercased()
        try require(
            method.map(FaultLimits.methods.contains) ?? true, "method", terms.method,
            "is one of \(FaultLimits.methods.joined(separator: ", "))")
        return .requests(path: pattern, method: method)
    }

    /// A status in the words of an interface of Apple needs a path of that interface.
    private static func require(_ status: Int, at path: PathPattern) throws(InvalidValue) {
        switch status {
        case FaultLimits.statuses: return
        case FaultLimits.receiptStatuses:
            try require(
                path.text == "/verifyReceipt", "status", status, "is one of verifyReceipt, and needs that as its path")
        default:
            try require(
                FaultLimits.errorCodes.contains(status), "status", status,
                "is a status of HTTP from 200 to 599, one of verifyReceipt from 21000 to 21199, or an error code of the "
                    + "App Store Server API such as 5000001")
            try require(
                path.text.hasPrefix("/inApps/"), "status", status,
                "is an error of the App Store Server API, and needs a path that begins with /inApps/")
        }
    }

    private static func choice(_ terms: FaultTerms) throws(InvalidValue) -> Choice {
        let (counts, given) = (FaultLimits.calls, [terms.call, terms.every, terms.percent].compactMap(\.self))
        try require(given.count < 2, "call", given.first, "stands without every and percent: one of the three counts")
        try require(terms.seed == nil || terms.percent != nil, "seed", terms.seed, "needs a percent to draw by")
        if let number = terms.call {
            try require(counts.contains(number), "call", number, FaultLimits.callRule)
            return .call(number)
        }
        if let number = terms.every {
            try require(counts.contains(number), "every", number, FaultLimits.callRule)
            return .every(number)
        }
        guard let percent = terms.percent else { return .each }
        try require((1...100).contains(percent), "percent", percent, "is from 1 to 100")
        return .chance(percent: percent, seed: terms.seed ?? 1)
    }

    private static func effect(_ terms: FaultTerms) throws(InvalidValue) -> Effect? {
        var found: [Effect] = []
        if let status = terms.status { found.append(.status(status, retryAfter: try wait(terms))) }
        if let drop = terms.drop {
            guard let moment = Effect.Moment(rawValue: drop) else {
                throw InvalidValue(.unknown, subject: "drop", value: drop, rule: "is before or after")
            }
            found.append(.drop(moment))
        }
        if terms.duplicate == true { found.append(.duplicate) }
        if terms.reorder == true { found.append(.reorder) }
        try require(
            found.count < 2, "status", terms.status,
            "stands without drop, duplicate and reorder: one of the four happens"
        )
        try require(
            terms.retryAfterSeconds == nil || terms.status != nil, "retryAfterSeconds", terms.retryAfterSeconds,
            "needs a status")
        return found.first
    }

    /// How long the answer says to wait; with too many requests it always says so.
    private static func wait(_ terms: FaultTerms) throws(InvalidValue) -> Int? {
        if let seconds = terms.retryAfterSeconds {
            try require((1...86_400).contains(seconds), "retryAfterSeconds", seconds, "is from 1 to 86400")
            return seconds
        }
        return terms.status.map { $0 == 429 || $0 == 4_290_000 } == true ? 60 : nil
    }
}

/// The limits of what a fault may be.
package enum FaultLimits {
    /// Rules at once.
    package static let rules = 100
    /// Of one rule, and of all that strike one request, in milliseconds: a listener gives a handler 60 seconds.
    package static let delay = 30_000
    /// The same of the rules that strike one request together.
    package static let delays = Duration.seconds(45)
    static let delayRule = "is from 1 to \(delay)"
    static let path = 200
    /// Those that the store has requests of.
    package static let methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]
    package static let calls = 1...1_000_000
    static let callRule = "is from 1 to 1000000"
    static let statuses = 200...599
    static let answers = 300...599
    static let receiptStatuses = 21_000...21_199
    static let errorCodes = 4_000_000...5_999_999
}
