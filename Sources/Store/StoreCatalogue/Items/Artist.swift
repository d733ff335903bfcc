package import StoreDatabase
package import StoreModel

/// Who made an item: a musician, the developer of an app, an author, or the show of a season.
package struct Artist: Hashable, Sendable {
    /// The number by which links name the artist, of the same series as those of apps and items.
    package let storeID: Int64
    package let name: String
    package let kind: ArtistKind
    /// Whose items the artist made.
    package let teamID: TeamID
    package let createdAt: Instant
    package let changedAt: Instant

    static let columns: SQL = """
        artist.artist_id, artist.name, artist.kind, artist.team_id, artist.created_at, artist.changed_at
        """

    init(_ row: Row) throws {
        var cells = row.cells
        try self.init(&cells)
    }

    init(_ cells: inout RowCells) throws {
        storeID = try cells.next()
        name = try cells.next()
        kind = try cells.next()
        teamID = try cells.next()
        createdAt = try cells.next()
        changedAt = try cells.next()
    }
}

/// The artists of the catalogue.
package enum Artists {
    /// The artist of a number.
    package static func find(_ id: Int64, in transaction: any ReadTransaction) throws -> Artist? {
        try transaction.optional(
            "SELECT \(Artist.columns) FROM artist WHERE artist_id = $1", id, row: Artist.init)
    }

    /// The artists of these numbers.
    package static func find(
        all ids: some Sequence<Int64>, in transaction: any ReadTransaction
    ) throws -> [Int64: Artist] {
        let found = try transaction.query(
            "SELECT \(Artist.columns) FROM artist WHERE artist_id IN \(.numbers)", of: ids, row: Artist.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.storeID, $0) })
    }

    /// The artist of a team by name.
    package static func find(
        _ name: String, _ kind: ArtistKind, of team: TeamID, in transaction: any ReadTransaction
    ) throws -> Artist? {
        try transaction.optional(
            "SELECT \(Artist.columns) FROM artist WHERE team_id = $1 AND kind = $2 AND name = $3", team, kind, name,
            row: Artist.init)
    }

    /// The artists after a number, of a team or of all.
    package static func list(
        of team: TeamID?, after id: Int64 = 0, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Artist] {
        try transaction.query(
            """
            SELECT \(Artist.columns) FROM artist WHERE artist_id > $1 AND ($2 = '' OR team_id = $2)
            ORDER BY artist_id LIMIT $3
            """, id, team?.text ?? "", limit, row: Artist.init)
    }

    /// Enters an artist, who has to be new to the team.
    static func add(
        _ id: Int64, _ name: String, _ kind: ArtistKind, of team: TeamID, _ change: CatalogueChange
    ) throws -> Artist {
        let name = try checked(name)
        guard kind.isKnown else {
            throw CatalogueError(.valueInvalid, "it is none of the kinds of artists", field: "kind")
        }
        guard try find(name, kind, of: team, in: change.transaction) == nil else {
            throw CatalogueError(.nameTaken, "the team has a \(kind) of this name", field: "name")
        }
        try StoreNumbers.requireFree(id, in: change.transaction)
        return try CatalogueAudit.audit(.artist(id), "entered", change) {
            try change.transaction.insert(
                into: "artist",
                [
                    "artist_id": id, "team_id": team, "kind": kind, "name": name, "created_at": change.at,
                    "changed_at": change.at,
                ])
            return try require(id, in: change.transaction)
        }
    }

    /// Gives an artist another name. Once production shows the name it is the store's to change.
    static func rename(_ artist: Artist, to name: String, _ change: CatalogueChange) throws -> Artist {
        let name = try checked(name)
        guard name != artist.name else { return artist }
        if try isLive(artist.storeID, in: change.transaction) { try change.require(.review, in: .production) }
        guard try find(name, artist.kind, of: artist.teamID, in: change.transaction) == nil else {
            throw CatalogueError(.nameTaken, "the team has a \(artist.kind) of this name", field: "name")
        }
        return try CatalogueAudit.audit(.artist(artist.storeID), "renamed", change) {
            try change.transaction.update(
                "artist", ["name": name, "changed_at": change.at], where: ["artist_id": artist.storeID])
            return try require(artist.storeID, in: change.transaction)
        }
    }

    static func require(_ id: Int64, in transaction: any ReadTransaction) throws -> Artist {
        guard let found = try find(id, in: transaction) else {
            throw CatalogueError(.nameUnknown, "there is no artist \(id)", field: "artistId")
        }
        return found
    }

    /// Whether production shows the artist.
    static func isLive(_ id: Int64, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.optional(
            """
            SELECT 1 FROM item JOIN product ON product.item_id = item.item_id
            WHERE item.artist_id = $1 AND product.is_live = 1 LIMIT 1
            """, id
        ) { _ in true } ?? false
    }

    private static func checked(_ name: String) throws -> String {
        try CatalogueText.line(name, atMost: ItemLimits.name, field: "name")
    }
}
