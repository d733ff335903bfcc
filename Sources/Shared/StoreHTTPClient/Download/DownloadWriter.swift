import Foundation
import StoreHTTP

/// Writes one response into a part, and determines the outcome. Belongs to the disk thread.
// Safe: it is used on the disk thread only.
final class DownloadWriter: @unchecked Sendable {
    /// The outcome of one attempt.
    enum Outcome: Sendable {
        /// The file is complete.
        case complete
        /// All that was asked for is there, and the file has more.
        case more
        /// The chunk of this number is not right, and was cut off.
        case damaged(Int, gained: Int)
        /// The part cannot be continued with this server, and was emptied.
        case startOver
        case redirected(HTTPStatus, HTTPFields)
        /// To be tried again.
        case interrupted(DownloadError, retryAfter: Duration?, gained: Int)
        case failed(DownloadError)
    }

    private let part: PartFile
    private let rules: DownloadRules
    private let chunks: ChunkCheck?
    private let offset: Int
    private let progress: @Sendable (DownloadProgress) -> Void
    private let done: @Sendable (Outcome) -> Void

    /// Set if it is known before the end of the response.
    private var outcome: Outcome?
    /// The end of this response's bytes, if known.
    private var end: Int?
    private var gained = 0

    init(
        _ part: PartFile, _ rules: DownloadRules, checking chunks: ChunkCheck? = nil, offset: Int,
        progress: @escaping @Sendable (DownloadProgress) -> Void, done: @escaping @Sendable (Outcome) -> Void
    ) {
        self.part = part
        self.rules = rules
        self.chunks = chunks
        self.offset = offset
        self.progress = progress
        self.done = done
    }

    /// Whether the rest of the response is of use.
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
            case .begin(let record, let end):
                try part.restart(record)
                self.end = end
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
        reportProgress()
    }

    func receive(_ pieces: [UInt8]) {
        guard isWanted else { return }
        attempt { () throws(DownloadError) in
            let whole = part.length + pieces.count
            if let end, whole > end {
                throw .transfer(
                    HTTPClientError(.responseMalformed, "More came than was announced.", outcome: .answered))
            }
            // Too great a length is noticed before the end; too small a one only there.
            if whole > min(rules.limit, rules.expectedLength ?? .max), let error = rules.lengthError(whole) {
                throw error
            }
            let before = part.length
            if let damaged = try append(pieces) {
                outcome = .damaged(damaged, gained: max(0, gained + part.length - before))
            }
            gained += pieces.count
        }
        reportProgress()
    }

    /// Returns the number of a chunk that turned out to be damaged.
    private func append(_ pieces: [UInt8]) throws(DownloadError) -> Int? {
        if let chunks { return try chunks.append(pieces, to: part) }
        try part.append(pieces)
        return nil
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
        case .success where rules.range != nil && end == part.length && gained > 0: return .more
        case .success:
            // A server may send less than the requested range.
            let error = HTTPClientError(.connectionLost, "Only some of the file was sent.", outcome: .answered)
            return .interrupted(.transfer(error), retryAfter: nil, gained: gained)
        case .failure(let error) where error.isTemporary || error.code == .cancelled:
            return .interrupted(.transfer(error), retryAfter: nil, gained: gained)
        case .failure(let error): return .failed(.transfer(error))
        }
    }

    private func reportProgress() {
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
