import StoreDatabase

/// What a failure of the databases, or of the store of blobs, means to the caller of a use case.
// Closed: each has its answer.
package enum StorageFailure: Hashable, Sendable {
    /// A text has the character U+0000, which databases do not keep.
    case textNotStorable
    /// It cannot be done at the moment; nothing was changed, and the same may succeed in a few seconds.
    case busy
    /// There is no room left for the bytes of a blob.
    case full

    /// Nil for errors of another kind, for failures that waiting does not mend, and for those after which it is not known what
    /// was done.
    package init?(_ error: any Error) {
        switch error {
        case let error as DatabaseError where error.code == .textNotStorable: self = .textNotStorable
        case let error as DatabaseError where Self.passes(error): self = .busy
        case let error as BlobError where error.code == .full: self = .full
        default: return nil
        }
    }

    /// Whether a blob was not sent because it is damaged or missing.
    package static func isDamagedBlob(_ error: any Error) -> Bool {
        (error as? BlobError).flatMap(BlobDamage.Kind.init) != nil
    }

    private static func passes(_ error: DatabaseError) -> Bool {
        error.code != .commitUnknown && (error.isRetryable || passing.contains(error.code))
    }

    private static let passing: Set<DatabaseError.Code> = [
        .busy, .serialization, .timeout, .interrupted, .unavailable, .closed, .queueFull, .full, .outOfMemory,
    ]
}
