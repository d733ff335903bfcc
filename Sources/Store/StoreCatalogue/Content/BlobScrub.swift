package import StoreDatabase
import StoreFoundation
package import StoreLog
package import StoreModel
import StoreSigning
import Synchronization

/// Reads all blobs that something refers to, slowly and again and again, and keeps which of them are damaged or missing.
///
/// It is work of the catalogue that is always due again. Where it goes on is kept, so that a restart begins one blob anew at
/// most.
package final class BlobScrub: Sendable {
    package static let work = "blob-scrub"
    private static let subject = "blobs"
    /// The property of the catalogue that says which blob was looked at last.
    private static let place = "blob-scrub"
    /// How long after the first start of a store it begins.
    private static let delay = Duration.seconds(60)

    /// How much one turn looks at.
    package struct Limits: Sendable {
        package var blobs = 100
        package var bytes: Int64 = 16 << 20

        package init() {}
    }

    private let catalogue: any Database
    private let blobs: @Sendable () throws -> (any BlobStore)?
    private let limits: Limits
    private let log: Log
    private let found = Mutex(0)
    /// Those that could not be sent, and are looked at now.
    private let unsent = Mutex<Set<BlobID>>([])
    /// How many of them are looked at at the same time; what is left out is met again, or found in its turn.
    private static let mostUnsent = 4
    /// The blob of which the last turn has read a part.
    private let reading = Mutex<Reading?>(nil)

    package init(
        _ catalogue: any Database, blobs: @escaping @Sendable () throws -> (any BlobStore)?, limits: Limits = Limits(),
        log: Log
    ) {
        self.catalogue = catalogue
        self.blobs = blobs
        self.limits = limits
        self.log = log
    }

    /// How many blobs are damaged or missing, as was last seen.
    package var count: Int { found.withLock { $0 } }

    /// Has it done from now on, if it is not. What is known to be damaged is looked at at once: it may have been mended.
    package func begin(at wall: Instant) async throws {
        let known = try await catalogue.write { [limits] transaction in
            try WorkTable.ensure(
                Work(Self.work, Self.subject, dueAt: wall + Self.delay, clock: .wall), in: transaction)
            return try BlobDamage.known(limit: limits.blobs, in: transaction).map(\.blob)
        }
        guard !known.isEmpty, let blobs = try blobs() else { return }
        let looked = try await OwnThread.run(named: "blobs") {
            try known.map { Look(blob: $0, fault: try BlobDamage.Kind(of: $0, in: blobs)) }
        }
        try await keep(looked, at: wall, goingOnAfter: nil)
    }

    /// Looks at the blob that could not be sent, if that is what an error says, and keeps what is wrong with it.
    package func look(after error: any Error, at wall: Instant) async {
        guard let blob = (error as? BlobError)?.blob else { return }
        let begins = unsent.withLock { $0.count < Self.mostUnsent && $0.insert(blob).inserted }
        guard begins else { return }
        defer { unsent.withLock { _ = $0.remove(blob) } }
        do {
            let isKnown = try await catalogue.read { try BlobDamage.isKnown(blob, in: $0) }
            guard !isKnown, let blobs = try blobs() else { return }
            let fault = try await OwnThread.run(named: "blobs") { try BlobDamage.Kind(of: blob, in: blobs) }
            try await keep([Look(blob: blob, fault: fault)], at: wall, goingOnAfter: nil)
        } catch {
            log.warning(
                "blob.unknown", "It is not known yet whether a blob that was not sent is damaged.",
                ["blob": .text(blob.text), "reason": "\(error)"])
        }
    }

    /// One turn; returns when the next is due.
    package func turn(at wall: Instant) async throws -> Instant {
        guard let blobs = try blobs() else { return wall + HostingLimits.scrubPause }
        let used = try await catalogue.read { [limits] transaction in
            let last = try StoreProperty.value(of: Self.place, in: transaction).flatMap { BlobID($0) }
            return try BlobDamage.used(after: last, limit: limits.blobs, in: transaction)
        }
        let (looked, bytes) = try await OwnThread.run(named: "blobs") { try self.look(at: used, in: blobs) }
        let isEnd = looked.count == used.count && used.count < limits.blobs
        try await keep(looked, at: wall, goingOnAfter: isEnd ? "" : looked.last?.blob.text)
        if isEnd { return wall + HostingLimits.scrubPause }
        return wall + .seconds(max(1, bytes / HostingLimits.scrubBytesPerSecond))
    }

    /// What was found about a blob; no fault if it is as it was kept.
    private struct Look {
        let blob: BlobID
        let fault: BlobDamage.Kind?
    }

    /// Reads on where the last turn stopped, as much as one turn may.
    private func look(at used: [BlobID], in blobs: any BlobStore) throws -> (looked: [Look], bytes: Int64) {
        try reading.withLock { reading in
            var looked: [Look] = []
            var bytes: Int64 = 0
            for blob in used {
                do {
                    var current = reading
                    reading = nil
                    if current?.blob != blob { current = try Reading(blob, in: blobs) }
                    bytes += try current?.readOn(atMost: limits.bytes - bytes, from: blobs) ?? 0
                    guard current?.isAtEnd == true else {
                        reading = current
                        break
                    }
                    looked.append(Look(blob: blob, fault: try current?.fault(in: blobs)))
                } catch let error as BlobError {
                    guard let fault = BlobDamage.Kind(error) else { throw error }
                    looked.append(Look(blob: blob, fault: fault))
                }
            }
            return (looked, bytes)
        }
    }

    /// Keeps what was found, tells of what is new, and notes where to go on.
    ///
    /// - Parameter place: the name of the last blob that was looked at; empty at the end of all, and nil to leave it.
    private func keep(_ looked: [Look], at wall: Instant, goingOnAfter place: String?) async throws {
        let (new, count) = try await catalogue.write { transaction in
            var new: [BlobDamage] = []
            for look in looked {
                // What nothing refers to any more is deleted and not damaged.
                let uses = look.fault == nil ? [] : try BlobDamage.uses(of: look.blob, in: transaction)
                guard let fault = look.fault, !uses.isEmpty else {
                    try BlobDamage.forget(look.blob, in: transaction)
                    continue
                }
                let damage = BlobDamage(look.blob, fault, uses: uses)
                if try damage.note(at: wall, in: transaction) { new.append(damage) }
            }
            try BlobDamage.forgetUnused(in: transaction)
            if let place { try StoreProperty.keep(place, as: Self.place, in: transaction) }
            return (new, try BlobDamage.count(in: transaction))
        }
        found.withLock { $0 = count }
        for damage in new {
            log.error(
                "blob.damaged", "A blob is damaged or missing: \(BlobDamage.remedy).",
                [
                    "blob": .text(damage.blob.text), "kind": .text(damage.kind.rawValue),
                    "of": .text(damage.uses.joined(separator: ", ")),
                ])
        }
    }
}

/// A blob of which a part was read.
private struct Reading {
    let blob: BlobID
    private let bytes: Int64
    private var position: Int64 = 0
    private let digest: RunningDigest
    private static let pieceBytes: Int64 = 1 << 20

    init(_ blob: BlobID, in blobs: any BlobStore) throws {
        guard let bytes = try blobs.byteCount(of: blob) else { throw BlobError(.missing, "the blob is not there") }
        self.blob = blob
        self.bytes = bytes
        digest = try RunningDigest(.sha256)
        // Where others look after it, it is enough that it is there.
        if blobs.isCheckedElsewhere { position = bytes }
    }

    var isAtEnd: Bool { position == bytes }

    /// Reads on; returns how many bytes.
    mutating func readOn(atMost limit: Int64, from blobs: any BlobStore) throws -> Int64 {
        let start = position
        while position < bytes, position - start < limit {
            let piece = position..<min(position + Self.pieceBytes, bytes)
            try digest.update(try blobs.read(blob, piece))
            position = piece.upperBound
        }
        return position - start
    }

    /// What is wrong with it, once it was read to its end.
    func fault(in blobs: any BlobStore) throws -> BlobDamage.Kind? {
        try blobs.isCheckedElsewhere || BlobID(digest: digest.finish()) == blob ? nil : .damaged
    }
}
