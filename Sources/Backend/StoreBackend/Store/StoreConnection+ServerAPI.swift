import Foundation
import StoreFoundation
import StoreHTTP
public import StoreModel

/// A page of what a customer has bought in an app.
public struct PurchaseHistoryPage: Hashable, Sendable {
    /// The transactions, each as signed data; those changed last come last.
    public let signedTransactions: [String]
    /// Asked with this, the store gives what follows, now or later.
    public let revision: String
    /// Whether more follows already.
    public let hasMore: Bool
}

/// How a subscription stands.
public struct SubscriptionStanding: Hashable, Sendable {
    /// Its status.
    public let status: WireSubscriptionStatus
    /// The id of its first transaction.
    public let originalTransactionID: TransactionID
    /// Its latest transaction, as signed data.
    public let signedTransaction: String
    /// What comes after the period, as signed data.
    public let signedRenewal: String
}

/// A page of notifications that the store has sent, or tried to send.
public struct NotificationHistoryPage: Hashable, Sendable {
    /// The notifications, each as signed data, the newest first.
    public let signedPayloads: [String]
    /// Asked with this, the store gives what follows; nil on the last page.
    public let next: String?
}

extension StoreConnection {
    /// A transaction as the store has it now, as signed data.
    ///
    /// - Parameter environment: where it was made; nil to ask production first and the sandbox if that does not know
    ///   it.
    public func transaction(
        _ id: TransactionID, of app: BundleID, in environment: StoreEnvironment? = nil, at now: Instant
    ) async throws -> String {
        struct Info: Decodable, Sendable {
            let signedTransactionInfo: String
        }
        return try await inEither(environment, or: id.environment) { environment in
            let info: Info = try await self.ask(
                "GET", "/inApps/v1/transactions/\(id)", of: app, in: environment, at: now)
            return info.signedTransactionInfo
        }
    }

    /// What the customer of a transaction has bought in the app, a page at a time.
    ///
    /// - Parameter revision: that of the page before; nil for the first page.
    public func history(
        of id: TransactionID, of app: BundleID, after revision: String? = nil, in environment: StoreEnvironment? = nil,
        at now: Instant
    ) async throws -> PurchaseHistoryPage {
        try await page("/inApps/v2/history/\(id)", id, app, revision, environment, now)
    }

    /// What the customer of a transaction was given money back for in the app, a page at a time.
    ///
    /// - Parameter revision: that of the page before; nil for the first page.
    public func refunds(
        of id: TransactionID, of app: BundleID, after revision: String? = nil, in environment: StoreEnvironment? = nil,
        at now: Instant
    ) async throws -> PurchaseHistoryPage {
        try await page("/inApps/v2/refund/lookup/\(id)", id, app, revision, environment, now)
    }

    private struct Page: Decodable, Sendable {
        let signedTransactions: [String]?
        let revision: String
        let hasMore: Bool
    }

    private func page(
        _ path: String, _ id: TransactionID, _ app: BundleID, _ revision: String?, _ environment: StoreEnvironment?,
        _ now: Instant
    ) async throws -> PurchaseHistoryPage {
        let query = revision.map { "?revision=" + Self.queryText($0) } ?? ""
        return try await inEither(environment, or: id.environment) { environment in
            let page: Page = try await self.ask("GET", path + query, of: app, in: environment, at: now)
            return PurchaseHistoryPage(
                signedTransactions: page.signedTransactions ?? [], revision: page.revision, hasMore: page.hasMore)
        }
    }

    /// How the subscriptions of the customer of a transaction stand in the app.
    public func subscriptions(
        of id: TransactionID, of app: BundleID, in environment: StoreEnvironment? = nil, at now: Instant
    ) async throws -> [SubscriptionStanding] {
        struct Item: Decodable, Sendable {
            let status: WireSubscriptionStatus
            let originalTransactionId: TransactionID
            let signedTransactionInfo: String
            let signedRenewalInfo: String
        }
        struct Group: Decodable, Sendable {
            let lastTransactions: [Item]
        }
        struct Statuses: Decodable, Sendable {
            let data: [Group]
        }
        return try await inEither(environment, or: id.environment) { environment in
            let statuses: Statuses = try await self.ask(
                "GET", "/inApps/v1/subscriptions/\(id)", of: app, in: environment, at: now)
            return statuses.data.flatMap(\.lastTransactions).map { item in
                SubscriptionStanding(
                    status: item.status, originalTransactionID: item.originalTransactionId,
                    signedTransaction: item.signedTransactionInfo, signedRenewal: item.signedRenewalInfo)
            }
        }
    }

    /// The notifications that the store has sent in a span of time, a page at a time.
    ///
    /// - Parameters:
    ///   - span: from when and until when; the App Store goes back 180 days in production, and 30 in the sandbox.
    ///   - onlyFailures: only those that did not arrive.
    ///   - next: that of the page before, for the same span; nil for the first page.
    public func notifications(
        of app: BundleID, sent span: Range<Instant>, onlyFailures: Bool = false, after next: String? = nil,
        in environment: StoreEnvironment, at now: Instant
    ) async throws -> NotificationHistoryPage {
        struct Question: Encodable {
            let startDate: Instant
            let endDate: Instant
            let onlyFailures: Bool
        }
        struct Item: Decodable, Sendable {
            let signedPayload: String
        }
        struct History: Decodable, Sendable {
            let notificationHistory: [Item]
            let hasMore: Bool
            let paginationToken: String?
        }
        let query = next.map { "?paginationToken=" + Self.queryText($0) } ?? ""
        let question = Question(startDate: span.lowerBound, endDate: span.upperBound, onlyFailures: onlyFailures)
        // A page is known by what was asked, to the letter.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let history: History = try await ask(
            "POST", "/inApps/v1/notifications/history" + query, try encoder.encode(question), of: app,
            in: environment, at: now)
        return NotificationHistoryPage(
            signedPayloads: history.notificationHistory.map(\.signedPayload),
            next: history.hasMore ? history.paginationToken : nil)
    }

    /// Has the store send a notification as a test, and returns the token by which the store knows it.
    public func requestTestNotification(
        of app: BundleID, in environment: StoreEnvironment, at now: Instant
    ) async throws -> String {
        struct Requested: Decodable, Sendable {
            let testNotificationToken: String
        }
        let requested: Requested = try await ask(
            "POST", "/inApps/v1/notifications/test", of: app, in: environment, at: now, isRepeatable: false)
        return requested.testNotificationToken
    }

    /// Asks the environment that is named, or that the number belongs to, or else production and then the sandbox.
    private func inEither<Value: Sendable>(
        _ named: StoreEnvironment?, or numbered: StoreEnvironment?,
        _ ask: (StoreEnvironment) async throws -> Value
    ) async throws -> Value {
        if let environment = named ?? numbered { return try await ask(environment) }
        let order = StoreEnvironment.allCases.filter(environments.contains)
        guard let first = order.first else { throw Self.unavailable("This backend has no address of a store.") }
        do {
            return try await ask(first)
        } catch let error as BackendError where error.code == .unknownTransaction && order.count > 1 {
            return try await ask(order[1])
        }
    }

    /// A text as a value in a query.
    private static func queryText(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "-._~").union(.init(charactersIn: "a"..."z"))
            .union(.init(charactersIn: "A"..."Z")).union(.init(charactersIn: "0"..."9"))
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

extension StoreConnection {
    /// Asks the App Store Server API.
    private func ask<Value: Decodable & Sendable>(
        _ method: String, _ target: String, _ body: Data? = nil, of app: BundleID, in environment: StoreEnvironment,
        at now: Instant, isRepeatable: Bool = true
    ) async throws -> Value {
        let place = try place(environment)
        guard let key else {
            throw BackendError(.storeKeyRefused, "This backend has no key of the store, which the question needs.")
        }
        let token: String
        do {
            token = try key.token(for: app, at: now)
        } catch {
            throw BackendError(.storeKeyRefused, "The key of the store does not sign: \(error).")
        }
        var request = TransportRequest(method, target, fields: ["Authorization": "Bearer " + token])
        if let body {
            request.fields["Content-Type"] = "application/json"
            request.body = .collected(Array(body))
        }
        return try await ask(request, place.serverAPI, at: place, isRepeatable: isRepeatable) { answer in
            guard !(200..<300).contains(answer.status.rawValue) else {
                return .value(try Self.decode(answer, from: place))
            }
            return try ServerAPIFailure(answer, at: now).judged(place, app)
        }
    }
}

/// An answer of the App Store Server API that is none of what was asked.
private struct ServerAPIFailure {
    private struct Body: Decodable {
        let errorCode: Int
    }

    private let status: HTTPStatus
    private let code: Int?
    private let retryAfter: Duration?

    init(_ answer: StoreConnection.Answer, at now: Instant) {
        status = answer.status
        code = try? JSONDecoder().decode(Body.self, from: Data(answer.body)).errorCode
        retryAfter = answer.fields["Retry-After"].flatMap { Int64($0) }.map { number in
            // The App Store names an instant in milliseconds; others name seconds.
            number > Self.mostSeconds
                ? max(.zero, Instant(millisecondsSinceEpoch: number) - now) : .seconds(max(0, number))
        }
    }

    /// Numbers above this are instants.
    private static let mostSeconds: Int64 = 1_000_000_000
    /// Errors that say of themselves that asking again may help.
    private static let retryable: Set<Int> = [4_040_002, 4_040_004, 4_040_006, 5_000_001]
    private static let unknownTransaction: Set<Int> = [4_000_006, 4_000_008, 4_040_001, 4_040_005, 4_040_010]
    private static let unknownApp: Set<Int> = [4_000_002, 4_040_003]

    func judged<Value>(
        _ place: StoreConnection.Place, _ app: BundleID
    ) throws -> StoreConnection.Judgement<Value> {
        let name = code.map { "the error \($0)" } ?? "the status \(status.rawValue)"
        if let code, Self.unknownTransaction.contains(code) {
            throw BackendError(.unknownTransaction, "The store knows no such transaction of \(app) (\(name)).")
        }
        if let code, Self.unknownApp.contains(code) {
            throw BackendError(.storeKeyRefused, "For the key of this backend the store has no app \(app) (\(name)).")
        }
        if status == .unauthorized {
            throw BackendError(
                .storeKeyRefused, "The store does not take the key: check its id, the issuer and the clock (\(name)).")
        }
        let seconds = retryAfter.map { Int($0.components.seconds) + 1 }
        let failure = StoreConnection.unavailable("\(place.host) answered with \(name).", retryAfter: seconds)
        if status == .tooManyRequests || status.rawValue >= 500 || code.map(Self.retryable.contains) ?? false {
            return .again(failure, after: retryAfter)
        }
        // A refusal with a code is about the question; without one, it is no store that answers.
        guard code != nil else { throw failure }
        throw BackendError(.invalidValue, "The store refuses the question with \(name).")
    }
}
