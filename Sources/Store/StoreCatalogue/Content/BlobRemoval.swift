package import StoreDatabase
import StoreFoundation
package import StoreModel

/// Deletes blobs that nothing refers to, and never one that somebody is about to refer to.
///
/// A blob is marked first and deleted later. Whoever refers to a blob takes the mark away in the same transaction
/// (``claim(_:in:)``), and keeps sweeps away from the time between (``hold(_:in:of:at:)``). The deletion itself is announced in a transaction of its own: from then on the blob cannot be
/// referred to until it is gone, and whoever wants to keeps its bytes anew. A crash in between leaves a mark, and the next
/// sweep goes on from there.
package enum BlobRemoval {
    static let tables: [SQL] = [
        """
        CREATE TABLE blob_removal (
            digest \(.text) NOT NULL PRIMARY KEY, marked_at \(.integer) NOT NULL, is_being_deleted \(.integer) NOT NULL
        ) \(.table)
        """
    ]

    /// How long a blob stays that nothing refers to: longer than it takes from keeping bytes to noting where they belong.
    package static let delay = Duration.seconds(60 * 60)
    /// How many blobs one sweep looks at.
    private static let page = 500

    /// Marks a blob that may have become useless.
    static func mark(_ blob: BlobID, at now: Instant, in transaction: any WriteTransaction) throws {
        _ = try transaction.insertIfNew(
            into: "blob_removal", ["digest": blob, "marked_at": now, "is_being_deleted": false])
    }

    /// Takes the mark of a blob away that something is about to refer to, in the same transaction. Throws while it is being
    /// deleted; its bytes are to be kept again then.
    static func claim(_ blob: BlobID, in transaction: any WriteTransaction) throws {
        let isGoing = try transaction.optional(
            "SELECT is_being_deleted FROM blob_removal WHERE digest = $1", blob
        ) { try $0.value(0, as: Bool.self) }
        guard isGoing != true else { throw isBeingRemoved }
        // Whoever refers to it has just kept its bytes, which mends what was damaged.
        try BlobDamage.forget(blob, in: transaction)
        if isGoing == false { try transaction.execute("DELETE FROM blob_removal WHERE digest = $1", blob) }
    }

    /// Keeps sweeps away from blobs that were just kept, until it is noted where they belong.
    ///
    /// A sweep may have deleted one of them after it was found to be there already, and so was not written again. Then this
    /// throws, and the bytes are to be kept once more.
    package static func hold(
        _ kept: [BlobID], in blobs: any BlobStore, of catalogue: any Database, at now: Instant
    ) async throws {
        try await catalogue.write { transaction in
            for blob in kept {
                try claim(blob, in: transaction)
                try mark(blob, at: now, in: transaction)
            }
        }
        let areThere = try await OwnThread.run(named: "blobs") {
            try kept.allSatisfy { try blobs.byteCount(of: $0) != nil }
        }
        guard areThere else { throw isBeingRemoved }
    }

    private static let isBeingRemoved = ServiceError(
        .storeUnavailable, "the same bytes are just being removed; send them again in a moment")

    /// Deletes what was marked long enough ago and is still not used; says how many blobs that were.
    package static func sweep(_ blobs: any BlobStore, of catalogue: any Database, at now: Instant) async throws -> Int {
        let doomed = try await catalogue.write { transaction in
            let marked = try transaction.query(
                """
                SELECT digest FROM blob_removal WHERE marked_at <= $1 OR is_being_deleted = 1 ORDER BY marked_at LIMIT $2
                """, now - delay, page
            ) { try $0.value(0, as: BlobID.self) }
            return try marked.filter { blob in
                let isUsed = try isUsed(blob, in: transaction)
                if isUsed {
                    try transaction.execute("DELETE FROM blob_removal WHERE digest = $1", blob)
                } else {
                    try transaction.execute("UPDATE blob_removal SET is_being_deleted = 1 WHERE digest = $1", blob)
                }
                return !isUsed
            }
        }
        for blob in doomed {
            _ = try await OwnThread.run(named: "blobs") { try blobs.delete(blob) }
            try await catalogue.write { transaction in
                _ = try transaction.execute("DELETE FROM blob_removal WHERE digest = $1", blob)
            }
        }
        return doomed.count
    }

    private static func isUsed(_ blob: BlobID, in transaction: any ReadTransaction) throws -> Bool {
        try HostedContent.isUsed(blob, in: transaction) || ProductImages.isUsed(blob, in: transaction)
            || ItemFiles.isUsed(blob, in: transaction) || PartnerFeed.isUsed(blob, in: transaction)
    }

    /// Marks blobs that nothing refers to because a crash came between keeping them and noting it.
    ///
    /// - Parameter last: where the search goes on; nil for the beginning. Returns where it ended; nil at the end.
    package static func look(
        for blobs: any BlobStore, after last: BlobID?, of catalogue: any Database, at now: Instant
    ) async throws -> BlobID? {
        let found = try await OwnThread.run(named: "blobs") { try blobs.list(after: last, limit: page) }
        guard !found.isEmpty else { return nil }
        try await catalogue.write { transaction in
            for blob in found where try !isUsed(blob, in: transaction) {
                try mark(blob, at: now, in: transaction)
            }
        }
        return found.count < page ? nil : found.last
    }
}
