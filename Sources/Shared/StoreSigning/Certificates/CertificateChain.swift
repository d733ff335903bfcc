package import StoreModel

/// The three certificates of a chain.
package struct CertificateChain: Sendable {
    package let leaf: Certificate
    package let intermediate: Certificate
    package let root: Certificate

    package init(leaf: Certificate, intermediate: Certificate, root: Certificate) {
        self.leaf = leaf
        self.intermediate = intermediate
        self.root = root
    }

    /// Leaf, intermediate, root: the order of `x5c` and of receipts.
    package var certificates: [Certificate] { [leaf, intermediate, root] }
}

/// A leaf's private key and its certificate chain: what a signer needs.
package struct CertifiedKey: Sendable {
    package let key: PrivateKey
    package let chain: CertificateChain

    package init(key: PrivateKey, chain: CertificateChain) {
        self.key = key
        self.chain = chain
    }
}

/// What a chain signs. Each environment has one chain of each kind.
package enum ChainPurpose: String, CaseIterable, Codable, Hashable, Sendable {
    // Closed: there are these two formats, and each requires its own kind of key.
    /// Signed JSON: transactions, renewals, notifications, profiles.
    case jws
    /// App receipts and the older transaction receipts.
    case receipt

    package func makeKey() throws -> PrivateKey {
        switch self {
        case .jws: try .p256()
        case .receipt: try .rsa()
        }
    }

    package var requirements: ChainRequirements {
        switch self {
        case .jws: .jws
        case .receipt: .receipt
        }
    }

    var title: String {
        switch self {
        case .jws: "Signed Data"
        case .receipt: "Receipt"
        }
    }
}

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
            // Verifiers refuse signatures older than the certificate. Starting early lets a store sell although its
            // clock was set back a little.
            let start = instant.adding(milliseconds: -Self.backdating)
            func span(years: Int) -> Range<Instant> {
                start..<instant.adding(.oneYear, times: years)
            }
            self.init(
                root: span(years: Self.rootYears), intermediate: span(years: Self.intermediateYears),
                leaf: span(years: Self.leafYears))
        case .sandbox:
            // A sandbox clock may be set to any date in between.
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
