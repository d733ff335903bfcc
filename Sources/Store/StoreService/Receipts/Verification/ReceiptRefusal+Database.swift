import StoreDatabase

extension ReceiptRefusal {
    /// What a failure of the books is told as: whether it is worth trying again is what a developer has to know.
    init(_ error: DatabaseError) {
        switch error.code {
        case .unavailable, .closed, .queueFull: self.init(.unavailable, "the database is not to be had: \(error)")
        case .inputOutput, .full, .outOfMemory: self.init(.internalFailure, "the database fails: \(error)")
        case _ where error.isRetryable: self.init(.retryableFailure, "the database was too busy: \(error)")
        case .busy, .serialization, .timeout, .interrupted:
            self.init(.retryableFailure, "the database was too busy: \(error)")
        default: self.init(.lastingFailure, "the database cannot answer: \(error)")
        }
    }
}
