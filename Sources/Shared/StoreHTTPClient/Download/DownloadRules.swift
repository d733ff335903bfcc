import StoreHTTP

/// What to request, and what a response means for the part. Pure decisions.
struct DownloadRules: Sendable {
    /// What a response means.
    enum Verdict: Hashable, Sendable {
        /// The rest, or some of it: to be appended to the part, up to this end.
        case append(DownloadRecord, end: Int)
        /// The whole file; the part is useless.
        case restart(DownloadRecord)
        /// The beginning of the file, up to this end.
        case begin(DownloadRecord, end: Int)
        /// The part is complete.
        case complete
        /// The part cannot be continued; request the whole.
        case startOver
        /// Possibly a redirection.
        case redirected
        /// To be retried.
        case later(Duration?)
        case failed(DownloadError)
    }

    let identity: String
    let expectedLength: Int?
    let limit: Int
    let boot: String
    /// The most bytes that a request asks for.
    var range: Int?

    /// The fields that a request for what follows `offset` has.
    ///
    /// - Parameter isWhole: whether the server is not asked for ranges.
    func fields(offset: Int, record: DownloadRecord?, isWhole: Bool = false) -> HTTPFields {
        var fields: HTTPFields = ["Accept-Encoding": "identity"]
        let end = range.map { offset + max(1, $0) - 1 }
        if offset > 0, let validator = record?.validator {
            fields.add("Range", "bytes=\(offset)-" + (end.map(String.init) ?? ""))
            fields.add("If-Range", validator)
        } else if offset == 0, let end, !isWhole {
            fields.add("Range", "bytes=0-\(end)")
        }
        return fields
    }

    func judge(_ head: ResponseHead, offset: Int, record: DownloadRecord?) -> Verdict {
        switch head.status.rawValue {
        case 200: return whole(head)
        case 206: return part(head, offset: offset, record: record)
        case 416: return beyondEnd(head, offset: offset, record: record)
        case 300..<400: return .redirected
        case 408, 425, 429, 500, 502, 503, 504: return .later(RetryAfter.wait(head.fields))
        default: return .failed(Self.refused(head.status))
        }
    }

    static func refused(_ status: HTTPStatus) -> DownloadError {
        let message =
            "The server answers \(status.rawValue) and sends no file; ask for another address and go on from there."
        return DownloadError(.refused, message, status: status)
    }

    private func whole(_ head: ResponseHead) -> Verdict {
        let record = record(of: head, length: head.contentLength)
        if let error = lengthError(record.length) { return .failed(error) }
        return .restart(record)
    }

    /// The beginning of a file that was asked for in ranges.
    private func beginning(_ head: ResponseHead) -> Verdict {
        guard range != nil, let content = head.fields["Content-Range"].flatMap(ContentRange.init),
            let total = content.total, let range = content.range, range.lowerBound == 0,
            head.contentLength.map({ $0 == range.count }) ?? true
        else { return .startOver }
        let record = record(of: head, length: total)
        if let error = lengthError(total) { return .failed(error) }
        return .begin(record, end: range.upperBound)
    }

    private func record(of head: ResponseHead, length: Int?) -> DownloadRecord {
        var record = DownloadRecord(identity: identity, boot: boot)
        record.length = length
        if let tag = head.fields["ETag"].flatMap({ EntityTag(parsing: $0) }), !tag.isWeak {
            record.entityTag = tag.text
        } else {
            record.lastModified = Self.strongDate(head.fields)
        }
        return record
    }

    /// A date proves something only if the file was at rest when the answer was made (RFC 9110 §8.8.2.2).
    private static func strongDate(_ fields: HTTPFields) -> String? {
        guard let text = fields["Last-Modified"], let modified = HTTPDate(parsing: text),
            let date = fields["Date"].flatMap(HTTPDate.init(parsing:)),
            date.secondsSince1970 - modified.secondsSince1970 >= 1
        else { return nil }
        return text
    }

    private func part(_ head: ResponseHead, offset: Int, record: DownloadRecord?) -> Verdict {
        if offset == 0 { return beginning(head) }
        guard var record, let content = head.fields["Content-Range"].flatMap(ContentRange.init),
            let range = content.range, range.lowerBound == offset,
            head.contentLength.map({ $0 == range.count }) ?? true
        else { return .startOver }
        if let length = record.length, let total = content.total, length != total { return .startOver }
        guard range.upperBound <= record.length ?? Int.max else { return .startOver }
        // A server that ignored the condition has another tag.
        if let tag = head.fields["ETag"], let known = record.entityTag, tag != known { return .startOver }
        record.length = record.length ?? content.total
        if let error = lengthError(record.length) { return .failed(error) }
        return .append(record, end: range.upperBound)
    }

    private func beyondEnd(_ head: ResponseHead, offset: Int, record: DownloadRecord?) -> Verdict {
        let total = head.fields["Content-Range"].flatMap(ContentRange.init).flatMap { $0.range == nil ? $0.total : nil }
        guard offset > 0 else { return .failed(Self.refused(head.status)) }
        return total == offset && record?.length ?? offset == offset ? .complete : .startOver
    }

    /// Why a file of this length is refused, or nil.
    func lengthError(_ length: Int?) -> DownloadError? {
        guard let length else { return nil }
        if length > limit {
            return DownloadError(.tooLarge, "The file has \(length) bytes, more than the \(limit) that are allowed.")
        }
        guard let expectedLength, length != expectedLength else { return nil }
        let message = "The file has \(length) bytes instead of the \(expectedLength) that were expected."
        return DownloadError(.unexpectedContent, message)
    }
}
