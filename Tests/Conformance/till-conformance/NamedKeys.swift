import StoreSigning

/// The public keys that a store knows by name.
struct NamedKeys: Decodable {
    private struct Entry: Decodable {
        let keyID: String
        let issuerID: String
        let publicKey: String
    }
    private let entries: [Entry]

    init(from decoder: any Decoder) throws {
        entries = try decoder.singleValueContainer().decode([Entry].self)
    }

    func find(_ keyID: String) throws -> KnownKey? {
        try entries.first { $0.keyID == keyID }.map {
            try KnownKey(
                keyID: $0.keyID, issuerID: $0.issuerID, publicKey: PublicKey(pemRepresentation: $0.publicKey))
        }
    }
}
