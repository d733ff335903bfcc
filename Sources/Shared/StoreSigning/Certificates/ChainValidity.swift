package import StoreModel

/// How long the certificates of an environment are valid.
package struct ChainValidity: Hashable, Sendable {
    package var root: Range<Instant>
    package var intermediate: Range<Instant>
    package var leaf: Range<Instant>

    package init(root: Range<Instant>, intermediate: Range<Instant>, leaf: Range<Instant>) {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
    }

    /// The validity of certificates issued at `instant`.
    package init(_ environment: StoreEnvironment, issuedAt instant: Instant) {
        switch environment {
        case .production:
            // Verifiers refuse what was signed before the certificate began, so that a clock that is set back a
            // little must not stop a store from selling.
            let start = instant.adding(milliseconds: -Self.backdating)
            func span(years: Int) -> Range<Instant> {
                start..<instant.adding(.oneYear, times: years)
            }
            self.init(
                root: span(years: Self.rootYears), intermediate: span(years: Self.intermediateYears),
                leaf: span(years: Self.leafYears))
        case .sandbox:
            // The sandbox's clock jumps anywhere between these two.
            self.init(root: Self.sandbox, intermediate: Self.sandbox, leaf: Self.sandbox)
        }
    }

    private static let backdating: Int64 = 24 * 60 * 60 * 1000
    private static let rootYears = 30
    private static let intermediateYears = 15
    private static let leafYears = 3
    /// 2000-01-01 to 2101-01-01: every date that a sandbox clock can show.
    private static let sandbox =
        Instant(millisecondsSinceEpoch: 946_684_800_000)..<Instant(millisecondsSinceEpoch: 4_133_980_800_000)
}
