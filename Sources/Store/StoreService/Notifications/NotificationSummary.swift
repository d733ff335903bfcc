package import StoreModel
package import StoreRules

/// What a notification is and whether it arrived, in words: one sentence for commands, answers and pages.
package struct NotificationSummary: Sendable {
    private let listed: ListedNotification

    package init(_ listed: ListedNotification) {
        self.listed = listed
    }

    /// What happened, as a heading: `Renewal failed, grace period`.
    package var title: String { Self.title(listed.notification.type, listed.notification.subtype) }

    /// What the developer's server has to make of it.
    package var meaning: String {
        Self.words[Self.key(listed.notification.type, listed.notification.subtype)]?.meaning
            ?? "Something happened that this version of Till has no words for."
    }

    /// Whether the app's server got it: `Yes, at attempt 2. Before that your server answered 503.`
    package var answer: String {
        let told = listed.notification
        // Those since it arrived, if it has.
        let failures = Array(
            listed.addressAttempts.reversed().prefix(while: { $0.result != .success }).reversed())
        let again = arrival.map { "\($0) Sent once more, it failed." }
        switch told.state {
        case .delivered: return arrival ?? "Yes."
        case .waiting: return "Not yet. The first attempt is under way, or waits for what was told before it."
        case .due: return arrival.map { "\($0) It is sent once more." } ?? "Not yet. Another attempt is under way."
        case .resting:
            let clock = failures.last?.ownTime == nil ? "" : " by its clock"
            let next = told.nextAt.map { " The next attempt is at \(Self.minute($0))\(clock)." } ?? ""
            return "\(again ?? "Not yet.") \(Self.sentence(failures))\(next)"
        case .failed:
            return failures.isEmpty
                ? arrival ?? "No. The address was removed before it was sent."
                : "\(again ?? "No, and it is not tried again.") \(Self.sentence(failures))"
        case .unaddressed:
            return "It was for listeners alone: the app has no address that wants this type."
        }
    }

    /// How it arrived, whatever became of it when it was sent once more; nil where it has not.
    private var arrival: String? {
        let tried = listed.addressAttempts
        let before = tried.prefix(while: { $0.result != .success })
        guard before.count < tried.count else { return nil }
        return before.isEmpty
            ? "Yes. Your server took it at once."
            : "Yes, at attempt \(before.count + 1). Before that \(Self.failed(Array(before)))."
    }

    /// A word for how the delivery stands.
    package static func word(_ state: NotificationState) -> String {
        switch state {
        case .waiting: "on its way"
        case .due: "trying again"
        case .resting: "waits"
        case .delivered: "delivered"
        case .failed: "given up"
        case .unaddressed: "listeners only"
        }
    }

    /// What an attempt came to: `503 after 1204 ms`.
    package static func sentence(_ attempt: NotificationAttempt) -> String {
        let what = attempt.status.map { "\($0)" } ?? Self.word(attempt.result)
        return "\(what) after \(attempt.milliseconds) ms"
    }

    /// Who was to have it, as `listener 3`.
    package static func receiver(_ receiver: String) -> String { receiver.replacing("/", with: " ") }

    /// What an attempt without a status came to.
    package static func word(_ result: SendAttemptResult) -> String {
        switch result {
        case .success: "taken"
        case .timedOut: "no answer in time"
        case .tlsIssue: "no secure connection"
        case .circularRedirect: "it sends on to itself"
        case .noResponse: "closed without an answer"
        case .socketIssue: "no connection"
        case .unsupportedCharset: "an answer in other characters"
        case .invalidResponse: "an answer that is no HTTP"
        case .prematureClose: "closed within the answer"
        case .unsuccessfulResponseCode: "another status than 200 to 206"
        default: "another failure"
        }
    }

    /// What failures came to, as a sentence of its own; empty without one.
    private static func sentence(_ failures: [NotificationAttempt]) -> String {
        let words = failed(failures)
        return words.isEmpty ? "" : words.prefix(1).uppercased() + words.dropFirst() + "."
    }

    /// What failures came to, to be said within a sentence; empty without one.
    private static func failed(_ failures: [NotificationAttempt]) -> String {
        guard let last = failures.last else { return "" }
        let what =
            last.fault.map { "it went wrong on purpose (\($0))" }
            ?? last.status.map { "your server answered \($0)" }
            ?? "your server was not reached: \(word(last.result))"
        let isSame = failures.allSatisfy {
            $0.status == last.status && $0.result == last.result && $0.fault == last.fault
        }
        let often =
            failures.count == 1 ? "" : isSame ? " \(failures.count) times" : ", the last of \(failures.count) failures"
        return what + often
    }

    /// What the clock of whom a notification concerns shows, where that is another time than the real one.
    package static func ownTime(_ commerce: Instant, besides wall: Instant) -> Instant? {
        abs(commerce.millisecondsSinceEpoch - wall.millisecondsSinceEpoch) < 1000 ? nil : commerce
    }

    private static func minute(_ instant: Instant) -> String {
        instant.rfc3339.prefix(19).replacing("T", with: " ") + " UTC"
    }
}

// MARK: Types in words

extension NotificationSummary {
    /// The heading of a type.
    package static func title(_ type: NotificationType, _ subtype: NotificationSubtype?) -> String {
        words[key(type, subtype)]?.title ?? type.rawValue + (subtype.map { ", \($0.rawValue)" } ?? "")
    }

    private static func key(_ type: NotificationType, _ subtype: NotificationSubtype?) -> String {
        type.rawValue + (subtype.map { "/\($0.rawValue)" } ?? "")
    }

    private static let words = subscriptionWords.merging(saleWords) { $1 }

    private static let subscriptionWords: [String: (title: String, meaning: String)] = [
        "SUBSCRIBED/INITIAL_BUY": ("Subscribed, first time", "A subscription began. Serve it until it expires."),
        "SUBSCRIBED/RESUBSCRIBE": ("Subscribed again", "A subscription began again. Serve it until it expires."),
        "DID_RENEW": ("Renewed", "Another period was paid. Serve it until the new end."),
        "DID_RENEW/BILLING_RECOVERY": ("Renewed, after a failure", "What could not be paid was paid. Serve it again."),
        "DID_FAIL_TO_RENEW": (
            "Renewal failed", "The card failed, and there is no grace period. Stop serving at the end."
        ),
        "DID_FAIL_TO_RENEW/GRACE_PERIOD": (
            "Renewal failed, grace period", "The card failed. Keep serving until the grace period ends."
        ),
        "GRACE_PERIOD_EXPIRED": ("Grace period over", "It is still not paid. Stop serving; it may be paid later."),
        "EXPIRED/VOLUNTARY": ("Expired, turned off", "The customer had turned renewal off. Stop serving."),
        "EXPIRED/BILLING_RETRY": ("Expired, not paid", "The store gave up trying to charge. Stop serving."),
        "EXPIRED/PRICE_INCREASE": ("Expired, price refused", "The customer did not agree to a price. Stop serving."),
        "EXPIRED/PRODUCT_NOT_FOR_SALE": (
            "Expired, not sold any more", "The product is not sold any more. Stop serving."
        ),
        "EXPIRED": ("Expired", "It is over for another reason. Stop serving."),
        "DID_CHANGE_RENEWAL_PREF/UPGRADE": ("Upgraded", "A higher service began at once. Serve that."),
        "DID_CHANGE_RENEWAL_PREF/DOWNGRADE": ("Downgrade planned", "From the next renewal on it is something else."),
        "DID_CHANGE_RENEWAL_PREF": ("Change taken back", "It goes on renewing as what it is."),
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED": ("Renewal turned on", "It renews after all."),
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED": (
            "Renewal turned off", "It ends with its period, if nothing changes."
        ),
        "OFFER_REDEEMED": ("Offer taken", "The subscription that runs has an offer."),
        "OFFER_REDEEMED/UPGRADE": ("Offer taken, upgraded", "A higher service began at once, with an offer."),
        "OFFER_REDEEMED/DOWNGRADE": (
            "Offer taken, downgrade", "From the next renewal on it is something else, with an offer."
        ),
        "PRICE_INCREASE/PENDING": ("Price increase, asked", "The customer was asked to agree, and has not answered."),
        "PRICE_INCREASE/ACCEPTED": ("Price increase, agreed", "The customer agreed, or had only to be told."),
        "REVOKE": ("Family sharing ended", "Somebody lost what the family shared. Stop serving them."),
        "RENEWAL_EXTENDED": ("Period extended", "The period ends later. Serve it until the new end."),
        "RENEWAL_EXTENSION/SUMMARY": ("Extensions done", "The extension of all subscribers is finished."),
        "RENEWAL_EXTENSION/FAILURE": ("Extension failed", "This subscription could not be extended."),
    ]

    private static let saleWords: [String: (title: String, meaning: String)] = [
        "ONE_TIME_CHARGE": (
            "One-time charge", "Something was bought that does not renew. Deliver it, if that was not done."
        ),
        "REFUND": ("Refunded", "The money was given back. Take away what was bought."),
        "REFUND_DECLINED": ("Refund declined", "The customer keeps what was bought."),
        "REFUND_REVERSED": (
            "Refund reversed", "The money came back to the store. Give it again, if it was taken away."
        ),
        "CONSUMPTION_REQUEST": ("Asked how it was used", "The customer wants the money back. Answer within 12 hours."),
        "RESCIND_CONSENT": ("Consent taken back", "A parent does not let a child use the app any more."),
        "TILL_CONTENT_VERSION": (
            "New version of content",
            "A new version of hosted content is delivered. Whoever has it may download it again."
        ),
        "TEST": ("Test", "Somebody asked for it; it is about nothing."),
    ]
}
