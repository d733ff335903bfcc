import CommandOptions
import StoreFoundation
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// Notifications in lines of text.
enum NotificationText {
    static func line(_ setting: NotificationSettingReport) -> String {
        guard let url = setting.url else { return "The notifications of \(setting.bundleId) go nowhere." }
        let types = setting.types.map { $0.joined(separator: ", ") } ?? "all types"
        return "The notifications of \(setting.bundleId) go to \(text(url)): version \(setting.version ?? 2), \(types)"
            + (setting.retries == true ? ", tried again after a failure." : ", tried once.")
    }

    static var settings: ListTable<NotificationSettingReport> {
        ListTable(
            .value("APP") { $0.bundleId.text }, .text("ADDRESS") { $0.url },
            .number("VERSION") { $0.version.map { "\($0)" } },
            .value("TYPES") { one in one.url.map { _ in one.types?.joined(separator: " ") ?? "all" } },
            .value("RETRIES") { one in one.url.map { _ in one.retries == true ? "yes" : "no" } },
            .id("SET") { $0.setAt?.rfc3339 }, .id("BY") { $0.actor })
    }

    static var notifications: ListTable<NotificationReport> {
        ListTable(
            .value("DATE") { $0.writtenAt.rfc3339 },
            .value("ITS CLOCK") { NotificationSummary.ownTime($0.signedDate, besides: $0.writtenAt)?.rfc3339 },
            .value("TYPE") { $0.notificationType.rawValue + ($0.subtype.map { "/\($0.rawValue)" } ?? "") },
            .value("TRANSACTION") { $0.transactionId?.description }, .state("STATE") { state(of: $0) },
            .number("TRIES") { "\($0.attempts)" },
            .value("ANSWER") { one in one.lastStatus.map { "\($0)" } ?? one.lastResult?.rawValue },
            .value("NEXT") { $0.nextAttemptAt?.rfc3339 }, .value("ID") { "\($0.notificationUUID)" },
            .id("CUSTOMER") { $0.customerId?.description },
            .id("FIRST TRANSACTION") { $0.originalTransactionId?.description })
    }

    private static func state(of one: NotificationReport) -> ListWord {
        guard let state = one.state.value else { return ListWord(one.state.rawValue) }
        let tone: ListWord.Tone =
            switch state {
            case .delivered: .good
            case .failed: .bad
            case .waiting, .due, .resting: .waiting
            case .unaddressed: .plain
            }
        return ListWord(NotificationSummary.word(state), tone)
    }

    static func lines(_ details: NotificationDetails) -> [String] {
        let one = details.notification
        var lines = [
            "\(one.title): \(one.notificationType.rawValue)\(one.subtype.map { "/\($0.rawValue)" } ?? "")",
            "  \(text(one.summary))", "  \(details.meaning)",
            "  \(one.notificationUUID), of \(times(one.writtenAt, one.signedDate)), version \(one.version)"
                + (one.transactionId.map { ", transaction \($0)" } ?? "")
                + (one.customerId.map { ", customer \($0)" } ?? ""),
        ]
        if let isGenuine = details.isGenuine { lines.append("  signatures: \(isGenuine ? "good" : "NOT GOOD")") }
        lines.append(details.attempts.isEmpty ? "No attempts" : "Attempts")
        lines += details.attempts.map { attempt in
            let answer = attempt.status.map { "\($0)" } ?? NotificationSummary.word(attempt.result)
            let whom =
                attempt.receiver == NotificationAttempt.address
                ? "" : "  \(text(NotificationSummary.receiver(attempt.receiver)))"
            let result = "\(attempt.result.rawValue)  \(answer) after \(attempt.milliseconds) ms\(whom)"
            let detail = attempt.detail.map { "  \(text($0))" } ?? ""
            return "  \(times(attempt.wallAt, attempt.at))  \(result)\(detail)"
        }
        lines.append("Payload")
        return lines + details.payload.text.split(separator: "\n").map { "  \(PrintableText(String($0), limit: 4000))" }
    }

    /// The real time, and that of the clock of whom it concerns where that is another.
    private static func times(_ wall: Instant, _ commerce: Instant) -> String {
        let time = NotificationSummary.ownTime(commerce, besides: wall)
        return wall.rfc3339 + (time.map { " (\($0.rfc3339) by its clock)" } ?? "")
    }

    private static func text(_ text: String) -> String { PrintableText(text, limit: 500).description }
}
