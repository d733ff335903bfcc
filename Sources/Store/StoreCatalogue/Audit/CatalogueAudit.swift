import Foundation
package import StoreDatabase
package import StoreModel

/// Every change of the catalogue, with who made it and how it was before: lines that nobody changes or removes.
package enum CatalogueAudit {
    /// What a change is about.
    package enum Subject: Hashable, Sendable {
        // Closed: the audit must be able to show each of them.
        case store
        case team(TeamID)
        case app(AppID)
        case product(ItemID)
        /// A token of the control interface, by its name.
        case token(String)
        /// An artist, by number.
        case artist(Int64)

        package var text: String {
            switch self {
            case .store: "store"
            case .team(let id): "team/\(id)"
            case .app(let id): "app/\(id)"
            case .product(let id): "product/\(id)"
            case .token(let name): "token/\(name)"
            case .artist(let id): "artist/\(id)"
            }
        }
    }

    /// One change.
    package struct Entry: Codable, Hashable, Sendable {
        package let number: Int64
        package let at: Instant
        package let actor: String
        package let teamId: TeamID?
        package let subject: String
        package let action: String
        /// What it was before, in JSON; nil for what is new.
        package let before: String?
        package let after: String?
        package let requestId: String?

        static let columns: SQL = "number, at, actor, team_id, subject, action, before, after, request_id"

        init(_ row: Row) throws {
            var cells = row.cells
            number = try cells.next()
            at = try cells.next()
            actor = try cells.next()
            teamId = try cells.next()
            subject = try cells.next()
            action = try cells.next()
            before = try cells.next()
            after = try cells.next()
            requestId = try cells.next()
        }
    }

    /// Makes a change, and notes it if it changed anything.
    package static func audit<Result>(
        _ subject: Subject, _ action: String, _ change: CatalogueChange,
        _ body: () throws -> Result
    ) throws -> Result {
        if change.isPart { return try body() }
        return try note(subject, action, change, body).result
    }

    /// Makes a change that may consist of several, notes it if it changed anything, and tells what was and what is.
    ///
    /// Whatever changes it, and by whichever way: what production sells of a product becomes a draft, and what it sells by
    /// besides is changed by actors of production only.
    static func note<Result>(
        _ subject: Subject, _ action: String, _ change: CatalogueChange,
        _ body: () throws -> Result
    ) throws -> (result: Result, before: String?, after: String?) {
        let isLive = try isLive(subject, in: change.transaction)
        let drafting = try change.isPart ? nil : Drafting(of: subject, isLive: isLive, change)
        let before = try CatalogueSnapshot.of(subject, in: change.transaction)
        let result = try body()
        let after = try CatalogueSnapshot.of(subject, in: change.transaction)
        // What this is part of is noted as a whole.
        guard before != after, !change.isPart else { return (result, before, after) }
        if drafting == nil, isLive, !change.actor.reaches(.production), CatalogueSnapshot.changesSales(before, after) {
            try change.actor.requireReach(of: .production)
        }
        let isDraft = try drafting?.settle(change) ?? false
        try append(subject, action + (isDraft ? ", drafted" : ""), before: before, after: after, change)
        if isDraft { try drafting?.number(change) }
        try SearchIndex.follow(subject, change.transaction)
        try NameWords.follow(subject, change.transaction)
        return (result, before, after)
    }

    /// Notes a change, also one that no state shows, such as another password.
    package static func append(
        _ subject: Subject, _ action: String, before: String? = nil, after: String? = nil, _ change: CatalogueChange
    ) throws {
        try change.transaction.insertNumbered(
            into: "catalogue_audit",
            [
                "at": change.at, "actor": change.actor.text, "team_id": team(of: subject, in: change.transaction),
                "subject": subject.text, "action": action, "before": before, "after": after,
                "request_id": change.request,
            ])
    }

    /// The number of the newest change; 0 if there is none. As long as it stays, so does the catalogue.
    package static func last(in transaction: any ReadTransaction) throws -> Int64 {
        try transaction.value("SELECT coalesce(max(number), 0) FROM catalogue_audit", as: Int64.self)
    }

    /// The changes before one, the newest first.
    package static func list(
        of subject: String?, team: TeamID?, before number: Int64?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Entry] {
        try transaction.query(
            """
            SELECT \(Entry.columns) FROM catalogue_audit
            WHERE number < $1 AND ($2 = '' OR subject = $2) AND ($3 = '' OR team_id = $3) ORDER BY number DESC LIMIT $4
            """, number ?? Int64.max, subject ?? "", team?.text ?? "", limit, row: Entry.init)
    }

    /// Whether production sells by it.
    private static func isLive(_ subject: Subject, in transaction: any ReadTransaction) throws -> Bool {
        switch subject {
        case .store: false
        case .team(let id): try Catalogue.isLive(id, in: transaction)
        case .app(let id): try Catalogue.isLive(id, in: transaction)
        case .product(let id): try Catalogue.product(id, in: transaction).map(Catalogue.isLive) ?? false
        case .token: false
        case .artist(let id): try Artists.isLive(id, in: transaction)
        }
    }

    private static func team(of subject: Subject, in transaction: any ReadTransaction) throws -> TeamID? {
        switch subject {
        case .store: nil
        case .team(let id): id
        case .app(let id): try Catalogue.app(id, in: transaction)?.teamID
        case .token(let name): try OperatorTokens.named(name, in: transaction)?.team
        case .artist(let id): try Artists.find(id, in: transaction)?.teamID
        case .product(let id):
            try Catalogue.product(id, in: transaction).flatMap { try Catalogue.app($0.appID, in: transaction)?.teamID }
        }
    }
}
