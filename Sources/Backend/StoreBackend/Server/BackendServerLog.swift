import StoreHTTP
import StoreLog
import StoreModel

/// What the server writes down of its work: the requests, and the steps of a purchase that happen at it.
///
/// No line has a token, a password or a proof.
struct BackendServerLog: Sendable {
    private let log: Log

    init(_ log: Log) {
        self.log = log
    }

    /// An app got its list of products.
    func listed(_ list: ProductList, _ count: Int, _ request: HTTPRequest) {
        log.info(
            "products.listed", "An app asked for its products.", about: "\(list.bundleID), \(count)",
            [
                "request_id": .text(request.id), "app": .text(list.bundleID.text), "version": .number(list.version),
                "products": .number(Int64(count)),
            ])
    }

    /// A user sent a proof of payment.
    func received(_ proof: ProofOfPayment, of user: BackendUser, _ request: HTTPRequest) {
        log.info(
            "proof.received", "A user sent a proof of payment.", about: Self.name(of: user),
            [
                "request_id": .text(request.id), "user": .text(user.id), "form": .text(proof.form.rawValue),
                "bytes": .number(Int64(proof.bytes.count)),
            ])
    }

    /// What a proof showed is recorded, and what it gives to its user is decided.
    func recorded(_ purchases: [Recorded], for user: BackendUser, _ request: HTTPRequest) {
        for one in purchases where one.isNew || purchases.count == 1 {
            log.info(
                "purchase.recorded", "A purchase is recorded.",
                about: "\(one.transaction.productID), \(Self.name(of: user)): \(one.state.rawValue)",
                [
                    "request_id": .text(request.id), "user": .text(user.id),
                    "product": .text(one.transaction.productID.text),
                    "transaction": .text("\(one.transaction.transactionID)"),
                    "environment": .text(one.transaction.environment.rawValue), "state": .text(one.state.rawValue),
                    "new": .flag(one.isNew),
                ])
        }
    }

    /// It is decided that a user gets some content.
    func granted(_ file: ContentFile, to user: BackendUser, _ request: HTTPRequest) {
        log.info(
            "content.granted", "A user gets content that was paid for.",
            about: "\(file.name) \(file.version), \(Self.name(of: user))",
            [
                "request_id": .text(request.id), "user": .text(user.id), "content": .text(file.name),
                "version": .text(file.version),
            ])
    }

    /// Content, or the part of it that was asked for, was sent or broken off.
    func sent(_ file: ContentFile, to user: BackendUser, _ request: HTTPRequest, _ end: ResponseEnd) {
        log.info(
            "content.sent", end.isComplete ? "Content was sent." : "Content was broken off.",
            about: "\(file.name) \(file.version), \(Self.name(of: user))",
            [
                "request_id": .text(request.id), "user": .text(user.id), "content": .text(file.name),
                "version": .text(file.version), "bytes": .number(Int64(end.bytes ?? -1)),
                "complete": .flag(end.isComplete),
            ])
    }

    /// A user did not get content.
    func refused(_ error: BackendError, _ product: ProductID, for user: BackendUser, _ request: HTTPRequest) {
        // That something is not paid for is daily life; that there is nothing to send is for whoever runs the server.
        let isOurs = [.contentUnavailable, .unknownContent, .storeKeyRefused].contains(error.code)
        log.write(
            isOurs ? .warning : .info, "content.refused", "A user does not get content.",
            about: "\(product), \(Self.name(of: user)): \(error.code.rawValue)",
            [
                "request_id": .text(request.id), "user": .text(user.id), "product": .text(product.text),
                "code": .text(error.code.rawValue), "reason": .text(error.message),
            ])
    }

    /// What came as a notification is not taken.
    func refusedNotification(_ error: BackendError, _ request: HTTPRequest) {
        log.warning(
            "notification.refused", "A notification is not taken.",
            [
                "request_id": .text(request.id), "code": .text(error.code.rawValue), "reason": .text(error.message),
                "peer": .text(request.peer.host),
            ])
    }

    /// The store told something.
    func notified(_ notification: ReceivedNotification, _ request: HTTPRequest) {
        let what = [
            notification.type.rawValue, notification.subtype?.rawValue, notification.transaction?.productID.text,
        ]
        log.info(
            "notification.received", "The store told something.",
            about: what.compactMap(\.self).joined(separator: " ") + (notification.isNew ? "" : ", again"),
            [
                "request_id": .text(request.id), "notification": .text("\(notification.id)"),
                "type": .text(notification.type.rawValue), "subtype": .text(notification.subtype?.rawValue ?? ""),
                "environment": .text(notification.environment.rawValue), "new": .flag(notification.isNew),
            ])
    }

    /// A request was answered.
    @Sendable func answered(_ entry: RequestLog.Entry) {
        let level: LogLevel = Self.watched.contains(entry.route ?? "") && entry.status < 500 ? .debug : .info
        guard log.takes(level) else { return }
        log.write(
            level, "request", "A request was answered.",
            [
                "request_id": .text(entry.id), "method": .text(entry.method), "path": .text(entry.path),
                "query": .text(entry.query), "status": .number(Int64(entry.status)),
                "bytes": .number(Int64(entry.bytes ?? -1)), "complete": .flag(entry.isComplete),
                "microseconds": .number(entry.nanoseconds / 1000), "peer": .text(entry.peer),
            ])
    }

    private static func name(of user: BackendUser) -> String { user.name ?? user.id }

    /// What collectors ask every few seconds.
    private static let watched: Set<String> = ["/healthz", "/readyz", "/metrics"]

    /// A request could not be answered, for a reason that its client is not told.
    @Sendable func failed(_ error: any Error, _ request: HTTPRequest) {
        log.error(
            "request.failed", "A request could not be answered.",
            ["request_id": .text(request.id), "reason": "\(error)"])
    }
}
