/// What a resource is in now: its tag, and when it was changed.
package struct ResourceState: Hashable, Sendable {
    package var tag: EntityTag?
    package var lastModified: HTTPDate?

    package init(tag: EntityTag? = nil, lastModified: HTTPDate? = nil) {
        self.tag = tag
        self.lastModified = lastModified
    }

    /// What the fields of a response say.
    init(_ fields: HTTPFields) {
        self.init(
            tag: fields["ETag"].flatMap { EntityTag(parsing: $0) },
            lastModified: fields["Last-Modified"].flatMap(HTTPDate.init(parsing:)))
    }
}

/// What the conditions of a request come to.
package enum PreconditionResult: Sendable {
    case proceed
    /// The client has it already: 304.
    case notModified
    /// It is not what the client thinks it is: 412.
    case failed
}

extension HTTPRequest {
    /// Weighs the conditions in the order of RFC 9110 §13.2.2; `state` is nil if there is no such resource yet.
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
