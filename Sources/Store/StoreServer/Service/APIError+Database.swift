import StoreDatabase
package import StoreHTTP

extension APIError {
    /// How a client is told that the database cannot do what was asked just now; nil for other errors, for failures that
    /// waiting does not mend, and for those after which nobody knows what was done.
    package static func databaseUnavailable(_ error: any Error) -> APIError? {
        guard let error = error as? DatabaseError, error.code != .commitUnknown,
            error.isRetryable || passing.contains(error.code)
        else { return nil }
        var told = APIError(
            .unavailable, code: "store_unavailable",
            "The store cannot do this at the moment. Ask for the same again in a few seconds.")
        told.fields["Retry-After"] = "5"
        return told
    }

    private static let passing: Set<DatabaseError.Code> = [
        .busy, .serialization, .timeout, .interrupted, .unavailable, .closed, .queueFull, .full, .outOfMemory,
    ]
}
