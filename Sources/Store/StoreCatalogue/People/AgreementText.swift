package import StoreDatabase
package import StoreModel
package import StoreRules

/// What teams agree to, word by word. The store may publish its own; a team that agreed to a former text goes on with that.
package struct AgreementText: Hashable, Sendable {
    package let kind: AgreementKind
    /// 0 for the one that comes with Till.
    package let version: Int
    package let body: String
    /// Nil for the one that comes with Till.
    package let publishedAt: Instant?

    /// Characters of a text.
    package static let longest = 100_000

    /// The newest of a kind.
    package static func current(
        _ kind: AgreementKind, in transaction: any ReadTransaction
    ) throws -> AgreementText {
        try transaction.query(
            """
            SELECT version, body, published_at FROM agreement_text WHERE kind = $1 ORDER BY version DESC LIMIT 1
            """, kind.rawValue
        ) { row in
            var cells = row.cells
            return AgreementText(
                kind: kind, version: try cells.next(), body: try cells.next(), publishedAt: try cells.next())
        }.first ?? standard(kind)
    }

    /// Publishes a text, to which teams agree from now on.
    static func publish(_ body: String, as kind: AgreementKind, _ change: CatalogueChange) throws -> AgreementText {
        guard kind.isKnown else { throw CatalogueError(.valueInvalid, "it is free or paid", field: "kind") }
        let body = try CatalogueText.lines(body, atMost: longest, field: "text")
        guard body.contains(where: { !$0.isWhitespace }) else {
            throw CatalogueError(.valueInvalid, "it is empty", field: "text")
        }
        let version = try current(kind, in: change.transaction).version + 1
        try change.transaction.insert(
            into: "agreement_text",
            ["kind": kind.rawValue, "version": version, "body": body, "published_at": change.at])
        try CatalogueAudit.append(.store, "text \(version) of the \(kind.rawValue) agreement published", change)
        return try current(kind, in: change.transaction)
    }

    private static func standard(_ kind: AgreementKind) -> AgreementText {
        let rest =
            kind == .paid
            ? """
            The team sells in its apps what costs money. The store collects what customers pay, keeps its commission, and owes \
            the team the rest, which its ledger shows at any time. What a customer gets back is taken from it.

            The team delivers what it has sold, as it was described, also when it sells nothing more.
            """
            : """
            The team offers apps and products that cost nothing. For what costs money there is an agreement of its own.
            """
        return AgreementText(
            kind: kind, version: 0,
            body: """
                The team offers only what it has the right to offer, and says of it what is true.

                \(rest)

                The store may ask for changes before something is sold, and keeps a team from selling anything new that does not \
                keep to this. Customers keep what they have bought.
                """, publishedAt: nil)
    }
}

extension CatalogueEditing {
    /// The text of an agreement, for whoever may agree to it or asks about it.
    package func agreementText(_ kind: AgreementKind) async throws -> AgreementText {
        try await read(for: .members) { try AgreementText.current(kind, in: $0) }
    }

    /// Publishes the text of an agreement.
    package func publishAgreement(_ body: String, as kind: AgreementKind) async throws -> AgreementText {
        try await write(for: .teams) { change in
            try change.require(.teams, in: .production)
            return try AgreementText.publish(body, as: kind, change)
        }
    }
}
