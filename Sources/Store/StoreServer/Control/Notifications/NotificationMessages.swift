import StoreCatalogue
package import StoreFoundation
package import StoreHTTP
package import StoreModel
package import StoreRules
import StoreService
import StoreSigning

/// Where the notifications of an app go.
package struct NotificationSettingRequest: Codable, Hashable, Sendable {
    package var url: String
    /// 1 or 2; 2 if it is missing.
    package var version: Int?
    /// The types that are sent; all if it is missing.
    package var types: [String]?
    /// Whether the sandbox tries again as production does; it does not if it is missing.
    package var retries: Bool?

    package init(url: String, version: Int? = nil, types: [String]? = nil, retries: Bool? = nil) {
        (self.url, self.version, self.types, self.retries) = (url, version, types, retries)
    }

    var draft: NotificationSettings.Draft {
        NotificationSettings.Draft(
            url: url, version: version ?? NotificationSetting.versions.upperBound, types: types,
            retries: retries ?? false)
    }
}

package struct NotificationSettingReport: Codable, Hashable, Sendable {
    package var bundleId: BundleID
    /// Missing where they go nowhere.
    package var url: String?
    package var version: Int?
    /// Missing for all.
    package var types: [String]?
    package var retries: Bool?
    package var setAt: Instant?
    package var actor: String?

    init(_ shown: NotificationSettings.Shown) {
        let setting = shown.setting
        (bundleId, url, version) = (shown.app.bundleID, setting?.url, setting?.version)
        types = setting?.types?.map(\.rawValue).sorted()
        (retries, setAt, actor) = (setting?.retries, setting?.setAt, setting?.actor)
    }
}

/// What a developer's server is told, and how its delivery stands.
package struct NotificationReport: Codable, Hashable, Sendable {
    package var notificationUUID: NotificationID
    package var notificationType: NotificationType
    package var subtype: NotificationSubtype?
    /// The same in words.
    package var title: String
    package var state: WireWord<NotificationState>
    /// Whether the server of the app got it, in a sentence.
    package var summary: String
    package var customerId: CustomerID?
    package var transactionId: TransactionID?
    package var originalTransactionId: TransactionID?
    /// The version of the form: 1 or 2.
    package var version: Int
    /// By the clock of whom it concerns, as are the next two.
    package var signedDate: Instant
    package var lastAttemptAt: Instant?
    package var nextAttemptAt: Instant?
    /// By the wall clock.
    package var writtenAt: Instant
    /// At the address of the app.
    package var attempts: Int
    package var lastResult: SendAttemptResult?
    package var lastStatus: Int?

    init(_ listed: ListedNotification) {
        let (told, last) = (listed.notification, listed.addressAttempts.last)
        let summary = NotificationSummary(listed)
        (notificationUUID, notificationType, subtype) = (told.uuid, told.type, told.subtype)
        (title, state, self.summary) = (summary.title, WireWord(told.state), summary.answer)
        (customerId, transactionId, originalTransactionId) = (told.customer, told.transaction, told.original)
        (version, signedDate, writtenAt, attempts) = (told.version, told.signedAt, told.writtenAt, told.attempts)
        (lastAttemptAt, nextAttemptAt) = (told.attemptedAt, told.nextAt)
        (lastResult, lastStatus) = (last?.result, last?.status)
    }
}

/// An attempt to hand a notification over, and what came of it.
package struct NotificationAttemptReport: Codable, Hashable, Sendable {
    /// `address` for that of the app, `listener/3` for a listener.
    package var receiver: String
    package var number: Int
    /// By the clock of whom it concerns.
    package var at: Instant
    package var wallAt: Instant
    package var result: SendAttemptResult
    package var status: Int?
    /// The beginning of the answer, or why there was none.
    package var detail: String?
    package var milliseconds: Int

    init(_ attempt: NotificationAttempt) {
        (receiver, number, at, wallAt) = (attempt.receiver, attempt.number, attempt.at, attempt.wallAt)
        (result, status, detail) = (attempt.result, attempt.status, attempt.detail)
        milliseconds = attempt.milliseconds
    }
}

/// A notification with all that was tried, and what it says.
package struct NotificationDetails: Codable, Hashable, Sendable {
    package var notification: NotificationReport
    /// What the developer's server has to make of it.
    package var meaning: String
    /// In the order in which they were made.
    package var attempts: [NotificationAttemptReport]
    /// What is sent, with all that is signed in it decoded.
    package var payload: JSONNode
    /// Whether its signatures are good; missing for version 1, which has none.
    package var isGenuine: Bool?
    /// The body as it is sent; missing where version 1 has no form of it.
    package var body: String?

    init(_ listed: ListedNotification, body: [UInt8]?, _ verifier: JWSVerifier) {
        notification = NotificationReport(listed)
        meaning = NotificationSummary(listed).meaning
        attempts = listed.attempts.map(NotificationAttemptReport.init)
        let decoded = body.map { DecodedNotification(body: $0, verifier: verifier) }
        payload = decoded?.payload ?? .null
        isGenuine = decoded.flatMap { $0.isSigned ? $0.problem == nil : nil }
        self.body = body.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONNode: SchemaValue {
    package static var schema: JSONSchema { .any }
}

extension NotificationSettingRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "url": .string("https, or http on the own machine and network.", example: "https://api.example.com/till"),
            "version": .integer("Of the form.", minimum: 1, maximum: 2),
            "types": .array(of: .string(among: NotificationType.known.map(\.rawValue).sorted())),
        ]
    }
}
