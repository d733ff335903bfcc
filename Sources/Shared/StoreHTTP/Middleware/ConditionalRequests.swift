/// Evaluates conditions and ranges by the fields of responses: `ETag`, `Last-Modified`, `Accept-Ranges`.
///
/// It stands outside of ``Compression``: the tag of a compressed body is that of the compressed one.
package struct ConditionalRequests: Middleware {
    private let random: @Sendable () -> UInt64

    /// `random` makes the boundary between several ranges, which the author of a file must not be able to predict.
    package init(random: @escaping @Sendable () -> UInt64) {
        self.random = random
    }

    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        response = response.narrowed(to: request) {
            "till-\(String(random(), radix: 36))-\(String(random(), radix: 36))"
        }
    }
}

/// The state of a resource: its tag, and its last change.
package struct ResourceState: Hashable, Sendable {
    package var tag: EntityTag?
    package var lastModified: HTTPDate?

    package init(tag: EntityTag? = nil, lastModified: HTTPDate? = nil) {
        self.tag = tag
        self.lastModified = lastModified
    }

    /// The state in the fields of a response.
    init(_ fields: HTTPFields) {
        self.init(
            tag: fields["ETag"].flatMap { EntityTag(parsing: $0) },
            lastModified: fields["Last-Modified"].flatMap(HTTPDate.init(parsing:)))
    }
}

/// The result of a request's conditions.
package enum PreconditionResult: Sendable {
    case proceed
    /// The client has this state already: 304.
    case notModified
    /// The resource is not in the state that the client expects: 412.
    case failed
}

extension HTTPRequest {
    /// Evaluates the conditions in the order of RFC 9110 §13.2.2; `state` is nil if there is no such resource yet.
    package func preconditions(for state: ResourceState?) -> PreconditionResult {
        let isReading = method == .get || method == .head
        let ifMatch = fields.values("If-Match")
        if !ifMatch.isEmpty {
            if !matches(ifMatch, state, { $0.strongly(matches: $1) }) { return .failed }
        } else if let date = date("If-Unmodified-Since") {
            if let modified = state?.lastModified, modified > date { return .failed }
        }
        let ifNoneMatch = fields.values("If-None-Match")
        if !ifNoneMatch.isEmpty {
            if matches(ifNoneMatch, state, { $0.weakly(matches: $1) }) { return isReading ? .notModified : .failed }
        } else if isReading, let date = date("If-Modified-Since") {
            if let modified = state?.lastModified, modified <= date { return .notModified }
        }
        return .proceed
    }

    /// Whether `Range` counts: always without `If-Range`, else only for exactly the state that the client has a part of.
    func rangeCounts(for state: ResourceState) -> Bool {
        guard let condition = fields["If-Range"] else { return true }
        if let tag = EntityTag(parsing: condition) { return state.tag?.strongly(matches: tag) ?? false }
        guard let date = HTTPDate(parsing: condition) else { return false }
        return state.lastModified == date
    }

    private func date(_ name: String) -> HTTPDate? {
        let values = fields.values(name)
        return values.count == 1 ? HTTPDate(parsing: values[0]) : nil
    }

    private func matches(
        _ values: [String], _ state: ResourceState?, _ areEqual: (EntityTag, EntityTag) -> Bool
    ) -> Bool {
        guard let state else { return false }
        switch EntityTag.List(values) {
        case .any: return true
        case .tags(let tags): return tags.contains { tag in state.tag.map { areEqual($0, tag) } ?? false }
        }
    }
}
