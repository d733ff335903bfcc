/// What a chain signs. Each environment has one chain of each kind.
package enum ChainPurpose: String, CaseIterable, Codable, Hashable, Sendable {
    // Closed: the formats in the field are these two, and each demands its own kind of key.
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
