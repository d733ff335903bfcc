import CommandOptions
import Foundation
import StoreFoundation
import StoreModel
import StoreServer
import StoreService

/// What `till listen` prints: a line a notification on standard output, and how it stands on standard error.
struct ListenOutput: Sendable {
    private let context: CommandContext
    private let isJSON: Bool
    private let isVerbose: Bool

    init(_ context: CommandContext, isJSON: Bool, isVerbose: Bool) {
        (self.context, self.isJSON, self.isVerbose) = (context, isJSON, isVerbose)
    }

    func note(_ sentence: String) { context.printError(sentence) }

    func ready(_ listener: ListenerReport, app: BundleID?, target: ForwardTarget?) {
        let whom = app.map { "the server of \($0)" } ?? "the servers of all apps"
        note(
            "Listening to what is told to \(whom), as listener \(listener.listenerId)"
                + (target.map { ", and forwarding it to \($0.url)" } ?? "") + ". Ctrl-C ends it.")
    }

    func print(
        _ heard: HeardNotificationReport, _ decoded: DecodedNotification, _ forwarded: ForwardTarget.Outcome?
    ) {
        if isJSON { return printJSON(heard, decoded, forwarded) }
        context.print(line(heard, decoded, forwarded))
        guard isVerbose else { return }
        for line in decoded.payload.text.split(separator: "\n") {
            context.print("    \(PrintableText(String(line), limit: 4000))")
        }
    }

    /// The time here, what it is, what it is about and whose, and what the server behind answered.
    func line(
        _ heard: HeardNotificationReport, _ decoded: DecodedNotification, _ forwarded: ForwardTarget.Outcome?
    ) -> String {
        let type = heard.notificationType + (heard.subtype.map { "/\($0)" } ?? "")
        let about = heard.productId?.text ?? heard.bundleId.text
        let whose = heard.customerEmail ?? heard.customerId.map { "customer \($0)" }
        let parts = [type, about, whose, heard.transactionId?.description].compactMap(\.self)
        var line =
            "\(Self.clock(SystemClock.now()))  "
            + parts.map { "\(PrintableText($0, limit: 200))" }.joined(separator: "  ")
        if let problem = decoded.problem { line += "  " + paint("NOT GENUINE: \(problem)", .bad) }
        if let forwarded {
            let outcome = forwarded.outcome
            let answer = outcome.status.map { "\($0)" } ?? outcome.result.rawValue
            let tone: ListWord.Tone = outcome.result == .success ? .good : .bad
            line += "  " + paint("-> \(answer)", tone) + " in \(forwarded.milliseconds) ms"
            if outcome.status == nil, let detail = outcome.detail {
                line += ": \(PrintableText(detail, limit: 200))"
            }
        }
        return line
    }

    private func paint(_ text: String, _ tone: ListWord.Tone) -> String {
        context.hasColour ? tone.paint(text) : text
    }

    /// The hour of the day, in UTC.
    private static func clock(_ instant: Instant) -> String { String(instant.rfc3339.dropFirst(11).prefix(8)) }

    private func printJSON(
        _ heard: HeardNotificationReport, _ decoded: DecodedNotification, _ forwarded: ForwardTarget.Outcome?
    ) {
        let told = HeardLine(
            notificationUUID: heard.notificationUUID, notificationType: heard.notificationType,
            subtype: heard.subtype, bundleId: heard.bundleId, productId: heard.productId,
            transactionId: heard.transactionId, originalTransactionId: heard.originalTransactionId,
            customerId: heard.customerId, customerEmail: heard.customerEmail, date: heard.date,
            isGenuine: decoded.isSigned ? decoded.problem == nil : nil, problem: decoded.problem,
            payload: decoded.payload,
            forwarded: forwarded.map {
                .init(
                    result: $0.outcome.result.rawValue, status: $0.outcome.status, detail: $0.outcome.detail,
                    milliseconds: $0.milliseconds)
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(told) else { return }
        context.write(Array(line) + [UInt8(ascii: "\n")])
    }

    /// A notification on a line, for programs.
    private struct HeardLine: Encodable {
        struct Forwarded: Encodable {
            let result: String
            let status: Int?
            let detail: String?
            let milliseconds: Int
        }

        let notificationUUID: NotificationID
        let notificationType: String
        let subtype: String?
        let bundleId: BundleID
        let productId: ProductID?
        let transactionId: TransactionID?
        let originalTransactionId: TransactionID?
        let customerId: CustomerID?
        let customerEmail: String?
        let date: Instant
        /// Missing for what is not signed.
        let isGenuine: Bool?
        let problem: String?
        let payload: JSONNode
        let forwarded: Forwarded?
    }
}
