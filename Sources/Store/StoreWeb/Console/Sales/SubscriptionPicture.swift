import StoreModel
import StoreRules
import StoreService

/// The periods of a subscription as a picture: a bar for each, as long as it lasts, and nothing where the subscription did not
/// count. Kinds of bars differ in shape as well as in colour, and the table below says the same.
struct SubscriptionPicture {
    // Closed: each has its look.
    enum Kind: String, CaseIterable {
        case paid, offered, replaced, back, grace, retry, next

        /// As the legend has it.
        var text: String {
            switch self {
            case .paid: "full price"
            case .offered: "with an offer"
            case .replaced: "replaced by an upgrade"
            case .back: "taken back"
            case .grace: "grace period"
            case .retry: "billing retry: does not count"
            case .next: "the next one, if it is paid"
            }
        }

        /// Where a bar of this kind begins and how high it is, of ``height``.
        fileprivate var extent: (y: Int, height: Int) {
            switch self {
            case .paid, .offered, .next: (6, 26)
            case .replaced, .grace: (15, 17)
            case .back: (23, 9)
            case .retry: (28, 4)
            }
        }
    }

    private struct Bar {
        let kind: Kind
        let from: Instant
        let to: Instant
        let text: String
    }

    private let bars: [Bar]
    private let now: Instant
    private let start: Instant
    private let end: Instant
    /// Whether now is beyond the picture.
    private let isOver: Bool
    private let width = 1000
    private let height = 40

    /// - Parameter periods: those that are shown, the oldest first.
    init(_ periods: [StoreTransaction], _ details: SubscriptionChanges.Details) {
        now = details.now
        bars = periods.map(Self.bar) + Self.following(details)
        start = bars.map(\.from).min() ?? now
        let over = max(bars.map(\.to).max() ?? now, start)
        // Long after its end there is nothing to see, and the bars would be too thin.
        isOver = now > over + Duration.milliseconds((over.millisecondsSinceEpoch - start.millisecondsSinceEpoch) / 4)
        end = isOver ? over : max(over, now)
    }

    static func kind(of period: StoreTransaction) -> Kind {
        if period.revocation != nil { return .back }
        if period.upgradedAt != nil { return .replaced }
        return period.offer == nil ? .paid : .offered
    }

    private static func bar(_ period: StoreTransaction) -> Bar {
        let kind = kind(of: period)
        let over = [period.expiresDate, period.revocation?.revokedAt, period.upgradedAt].compactMap(\.self).min()
        let end = max(over ?? period.purchaseDate, period.purchaseDate)
        return Bar(
            kind: kind, from: period.purchaseDate, to: end,
            text: "\(period.id), \(period.purchaseDate.written) to \(end.written): \(kind.text)")
    }

    /// What comes after the last period.
    private static func following(_ details: SubscriptionChanges.Details) -> [Bar] {
        let rules = details.subscription.rules
        let counted = rules.graceEndsAt ?? rules.endsAt
        let spans: [(Kind, Instant, Instant?)] =
            switch rules.state {
            case .active where rules.renews:
                [(.next, rules.endsAt, rules.scale.end(of: rules.renewal.plan.period, from: rules.endsAt))]
            case .grace: [(.grace, rules.endsAt, rules.graceEndsAt)]
            case .retry: [(.grace, rules.endsAt, rules.graceEndsAt), (.retry, counted, rules.retryEndsAt)]
            case .active, .expired, .revoked: []
            }
        return spans.compactMap { kind, from, end in
            end.map { Bar(kind: kind, from: from, to: $0, text: "\(from.written) to \($0.written): \(kind.text)") }
        }
    }

    // MARK: Drawing

    private func x(_ instant: Instant) -> Int {
        let whole = max(1, end.millisecondsSinceEpoch - start.millisecondsSinceEpoch)
        let part = min(max(0, instant.millisecondsSinceEpoch - start.millisecondsSinceEpoch), whole)
        return Int(Double(part) / Double(whole) * Double(width))
    }

    var element: Element {
        div(.class("periods")) {
            svg(.viewBox("0 0 \(width) \(height)"), .isStretched, .role("img"), .label(words)) {
                for bar in bars { drawn(bar) }
                if !isOver { rect(.class("now"), .x(min(x(now), width - 3)), .y(0), .width(3), .height(height)) }
            }
            div(.class("ends"), .isHidden) {
                minute(start)
                minute(end)
            }
            ul(.class("key"), .isHidden) {
                for kind in Kind.allCases where bars.contains(where: { $0.kind == kind }) {
                    key(kind.rawValue, kind.text)
                }
                if !isOver { key("now", "now, by the clock of the customer") }
            }
        }
    }

    private func drawn(_ bar: Bar) -> Element {
        let (from, to) = (x(bar.from), x(bar.to))
        let (y, height) = bar.kind.extent
        // Bars that follow each other do not touch.
        return rect(
            .class(bar.kind.rawValue), .x(from), .y(y), .width(max(3, to - from - 3)), .height(height)
        ) { title { bar.text } }
    }

    private func key(_ name: String, _ text: String) -> Element {
        let (y, height) = Kind(rawValue: name)?.extent ?? (0, self.height)
        let isNow = name == "now"
        return li {
            svg(.viewBox("0 0 40 \(self.height)"), .isHidden) {
                rect(.class(name), .x(isNow ? 16 : 4), .y(y), .width(isNow ? 6 : 32), .height(height))
            }
            text
        }
    }

    /// The picture in words.
    private var words: String {
        let counts = Kind.allCases.compactMap { kind -> String? in
            let count = bars.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(kind.text)"
        }
        return "The periods from \(start.written) to \(end.written): \(counts.joined(separator: ", "))"
    }
}
