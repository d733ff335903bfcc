import StoreHTTP

/// Writes one response into a part, and finds out what became of it. Belongs to the disk thread.
// Safe: everything of it is used on the disk thread, one step after another.
final class DownloadWriter: @unchecked Sendable {
    /// What one attempt came to.
    enum Outcome: Sendable {
        /// Everything is there.
        case complete
        /// What is there cannot be continued with this server; it was emptied.
        case startOver
        case redirected(HTTPStatus, HTTPFields)
        /// To be tried again.
        case interrupted(DownloadError, retryAfter: Duration?, gained: Int)
        case failed(DownloadError)
    }

    private let part: PartFile
    private let rules: DownloadRules
    private let offset: Int
    private let progress: @Sendable (DownloadProgress) -> Void
    private let done: @Sendable (Outcome) -> Void

    /// Set as soon as it is known before the response has ended.
    private var outcome: Outcome?
    /// Where the bytes of this response end, if it says so.
    private var end: Int?
    private var gained = 0

    init(
        _ part: PartFile, _ rules: DownloadRules, offset: Int,
        progress: @escaping @Sendable (DownloadProgress) -> Void, done: @escaping @Sendable (Outcome) -> Void
    ) {
        self.part = part
        self.rules = rules
        self.offset = offset
        self.progress = progress
        self.done = done
    }

    /// Whether anything more of the response is of use.
    var isWanted: Bool { outcome == nil }

    func receive(_ head: ResponseHead) {
        let verdict = rules.judge(head, offset: offset, record: part.record)
        attempt { () throws(DownloadError) in
            switch verdict {
            case .append(let record, let end):
                try part.update(record)
                self.end = end
            case .restart(let record):
                try part.restart(record)
                end = record.length
            case .complete: outcome = .complete
            case .startOver:
                try part.truncate(to: 0)
                outcome = .startOver
            case .redirected: outcome = .redirected(head.status, head.fields)
            case .later(let wait):
                outcome = .interrupted(DownloadRules.refused(head.status), retryAfter: wait, gained: 0)
            case .failed(let error): outcome = .failed(error)
            }
        }
        tell()
    }

    func receive(_ pieces: [UInt8]) {
        guard isWanted else { return }
        attempt { () throws(DownloadError) in
            let whole = part.length + pieces.count
            if let end, whole > end {
                throw .transfer(
                    HTTPClientError(.responseMalformed, "More came than was announced.", outcome: .answered))
            }
            // A length that is too great is known before all of it is there; one that is too small is not.
            if whole > min(rules.limit, rules.expectedLength ?? .max), let error = rules.lengthError(whole) {
                throw error
            }
            try part.append(pieces)
            gained += pieces.count
        }
        tell()
    }

    func end(_ result: Result<Void, HTTPClientError>) {
        if outcome == nil {
            attempt { () throws(DownloadError) in try part.synchronize() }
        }
        done(outcome ?? conclusion(result))
    }

    private func conclusion(_ result: Result<Void, HTTPClientError>) -> Outcome {
        switch result {
        case .success where part.record?.length == nil || part.record?.length == part.length: return .complete
        case .success:
            // A server may send less of a range than it was asked for.
            let error = HTTPClientError(.connectionLost, "Only some of the file was sent.", outcome: .answered)
            return .interrupted(.transfer(error), retryAfter: nil, gained: gained)
        case .failure(let error) where error.isTemporary || error.code == .cancelled:
            return .interrupted(.transfer(error), retryAfter: nil, gained: gained)
        case .failure(let error): return .failed(.transfer(error))
        }
    }

    private func tell() {
        if isWanted { progress(DownloadProgress(received: part.length, expected: part.record?.length)) }
    }

    private func attempt(_ body: () throws(DownloadError) -> Void) {
        do throws(DownloadError) {
            try body()
        } catch {
            outcome = .failed(error)
        }
    }
}
