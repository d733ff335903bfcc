import StoreFoundation

/// Compresses responses for clients that accept it, if it saves enough.
///
/// It stands inside of ``ConditionalRequests``. Responses that mix a secret with input of the client should be left
/// out: their length would reveal the secret.
package struct Compression: Middleware {
    /// The smallest body that is compressed; smaller ones gain nothing or grow.
    package static let smallest = 1024
    /// Larger files are sent by the system without compression.
    package static let largestFile = 1024 * 1024

    package init() {}

    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        guard isCandidate(response) else { return }
        // Caches need `Vary`, whether or not this client gets it compressed.
        let varies = response.fields.list("Vary").contains { $0 == "*" || $0.lowercased() == "accept-encoding" }
        if !varies { response.fields.add("Vary", "Accept-Encoding") }
        let preferences = Preferences(request.fields.values("Accept-Encoding"))
        guard request.method != .head, preferences.weight(ofEncoding: "gzip") > 0,
            preferences.weight(ofEncoding: "gzip") >= preferences.weight(ofEncoding: "identity")
                || preferences.choices.allSatisfy({ $0.name != "identity" }),
            let body = Self.compressed(response.body)
        else { return }
        response.body = body
        response.fields["Content-Encoding"] = "gzip"
        response.fields["Accept-Ranges"] = nil
        response.fields["Content-Length"] = nil
        if let tag = response.fields["ETag"].flatMap({ EntityTag(parsing: $0) }), !tag.isWeak {
            response.fields["ETag"] = EntityTag(tag.opaque, isWeak: true).text
        }
    }

    private func isCandidate(_ response: HTTPResponse) -> Bool {
        let fields = response.fields
        // Cheap checks come first: this runs for every response.
        return isLargeEnough(response.body) && !response.status.forbidsBody && response.status != .partialContent
            && fields["Content-Encoding"] == nil && fields["Content-Range"] == nil
            && isCompressible(fields) && mayBeTransformed(fields)
    }

    private func isCompressible(_ fields: HTTPFields) -> Bool {
        // Nearly every response has this type, which needs no parsing.
        fields["Content-Type"] == "application/json" || fields.mediaType?.isCompressible == true
    }

    private func mayBeTransformed(_ fields: HTTPFields) -> Bool {
        fields.values("Cache-Control").allSatisfy { $0 == "no-store" }
            || !fields.list("Cache-Control").contains { $0.lowercased() == "no-transform" }
    }

    private func isLargeEnough(_ body: ResponseBody) -> Bool {
        switch body {
        case .empty: false
        case .bytes(let bytes): bytes.count >= Self.smallest
        case .file(let file): (Self.smallest...Self.largestFile).contains(file.range.count)
        case .stream(let length, _): length.map { $0 >= Self.smallest } ?? true
        }
    }

    private static func compressed(_ body: ResponseBody) -> ResponseBody? {
        switch body {
        case .empty: nil
        case .bytes(let bytes): Deflater.gzip(bytes).flatMap { $0.count < bytes.count ? .bytes($0) : nil }
        case .file(let part):
            part.file.read(at: part.range.lowerBound, count: part.range.count)
                .flatMap { $0.count == part.range.count ? compressed(.bytes($0)) : nil }
        case .stream(_, let stream): .stream(length: nil, compressed(stream))
        }
    }

    /// A stream that is compressed as it is read. Each piece is flushed, so it can be read without the next.
    private static func compressed(_ source: BodyStream) -> BodyStream {
        let result = BodyStream()
        Task(executorPreference: TaskThreads.executor) {
            guard let deflater = Deflater() else {
                source.giveUp()
                return result.fail(BodyReaderGone())
            }
            do {
                while let piece = try await source.next() {
                    try await result.write(deflater.deflate(piece, isLast: false))
                }
                try await result.write(deflater.deflate([], isLast: true))
                result.finish()
            } catch {
                source.giveUp()
                result.fail(error)
            }
        }
        return result
    }
}
