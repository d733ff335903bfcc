package import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreService

/// Somebody who is to be a partner.
package struct PartnerRequest: Codable, Hashable, Sendable {
    package var name: String
    package var email: String
    /// In thousandths of a percent.
    package var commission: Int64

    package init(name: String, email: String, commission: Int64) {
        (self.name, self.email, self.commission) = (name, email, commission)
    }
}

extension PartnerRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "name": .string("1 to \(Partner.longestName) characters on one line."),
            "commission": .commission,
        ]
    }
}

/// Another commission of a partner.
package struct CommissionRequest: Codable, Hashable, Sendable {
    /// In thousandths of a percent.
    package var commission: Int64

    package init(commission: Int64) {
        self.commission = commission
    }
}

extension CommissionRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["commission": .commission] }
}

extension JSONSchema {
    fileprivate static let commission = integer(
        "What the partner gets of what customers pay, in thousandths of a percent: 7000 for 7 %.", minimum: 1,
        maximum: 100_000)
}

/// A partner.
package struct PartnerMessage: Codable, Hashable, Sendable {
    /// What links have as `at`, and the name under which the feed is asked for.
    package let token: String
    package let name: String
    package let email: String
    package let state: String
    /// In thousandths of a percent.
    package let commission: Int64
    /// When the key was made; missing where there is none.
    package let keyMadeAt: Instant?
    package let createdAt: Instant
    package let changedAt: Instant
    /// Only in the answer to the request that made it. The store does not keep it.
    package var key: String?
    /// Only where one partner is asked for.
    package var history: [Line]?

    /// Something that happened to a partner.
    package struct Line: Codable, Hashable, Sendable {
        package let at: Instant
        package let event: String
        package let detail: String?
        package let actor: String
    }

    init(_ partner: Partner, key: String? = nil) {
        (token, name, email) = (partner.token, partner.name, partner.email)
        (state, commission) = (partner.state.rawValue, partner.commission.percentMilliunits ?? 0)
        (keyMadeAt, createdAt, changedAt) = (partner.keyMadeAt, partner.createdAt, partner.changedAt)
        self.key = key
    }

    init(_ partner: Partner, _ history: [Partners.Line]) {
        self.init(partner)
        self.history = history.map { Line(at: $0.at, event: $0.event, detail: $0.detail, actor: $0.actor) }
    }
}

extension PartnerMessage: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "token": .string("What links have as at, and the user name for the feed."),
            "state": .string(among: Partner.State.known.map(\.rawValue).sorted()), "commission": .commission,
            "key": .string("The password for the feed. It is told this once."),
        ]
    }
}

/// What came of a partner's links.
package struct PartnerReportAnswer: Codable, Hashable, Sendable {
    package struct Sum: Codable, Hashable, Sendable {
        package let campaign: String?
        package let currency: Currency
        package let sales: Int
        package let refunds: Int
        package let paid: String
        package let commission: String
    }

    /// An amount that is owed.
    package struct Total: Codable, Hashable, Sendable {
        package let currency: Currency
        package let commission: String
    }

    package let token: String
    package let name: String
    package let environment: StoreEnvironment
    package let from: Instant?
    package let until: Instant?
    package let items: [Sum]
    package let totals: [Total]

    init(_ report: PartnerReport, _ environment: StoreEnvironment, from start: Instant?, until end: Instant?) {
        (token, name, self.environment) = (report.partner.token, report.partner.name, environment)
        (from, until) = (start, end)
        items = report.sums.map {
            Sum(
                campaign: $0.campaign, currency: $0.paid.currency, sales: $0.sales, refunds: $0.refunds,
                paid: $0.paid.decimalText, commission: $0.commission.decimalText)
        }
        totals = report.totals.map { Total(currency: $0.currency, commission: $0.decimalText) }
    }
}

extension PartnerReportAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["items": .array(of: .of(Sum.self), description: "By campaign and currency.")]
    }
}

extension PartnerReportAnswer.Sum: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "paid": .string("By customers, after what went back to them.", example: "9.90"),
            "commission": .string("What the partner is owed of it.", example: "0.69"),
        ]
    }
}

extension PartnerReportAnswer.Total: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["commission": .string("What the partner is owed.", example: "0.69")]
    }
}

/// A partner feed that is to be made.
package struct FeedRequest: Codable, Hashable, Sendable {
    /// `full` or `incremental`; without it what the calendar would begin.
    package var mode: FeedMode?

    package init(mode: FeedMode? = nil) {
        self.mode = mode
    }
}

/// A partner feed.
package struct FeedMessage: Codable, Hashable, Sendable {
    package let number: Int64
    package let mode: FeedMode
    /// The day in the names of its folders.
    package let date: String
    /// The number of the full feed beside which an incremental one tells what changed.
    package let base: Int64?
    package let state: String
    package let problem: String?
    package let begunAt: Instant
    package let endedAt: Instant?
    package let actor: String
    /// Only where one feed is asked for.
    package var tables: [Table]?

    /// A table of a feed.
    package struct Table: Codable, Hashable, Sendable {
        package let name: String
        package let group: String
        package let records: Int
        package let bytes: Int64
        package let md5: String
    }

    init(_ feed: PartnerFeed) {
        (number, mode, date, base) = (feed.number, feed.mode, feed.date, feed.base)
        (state, problem) = (feed.state.rawValue, feed.problem)
        (begunAt, endedAt, actor) = (feed.begunAt, feed.endedAt, feed.actor)
    }

    init(_ details: PartnerFeeds.Details) {
        self.init(details.feed)
        tables = details.files.map {
            Table(
                name: $0.name, group: $0.group.rawValue, records: $0.records, bytes: $0.bytes, md5: $0.md5)
        }
    }
}

extension FeedMessage: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "date": .string(example: "20261126"),
            "state": .string(among: PartnerFeed.State.known.map(\.rawValue).sorted()),
        ]
    }
}
