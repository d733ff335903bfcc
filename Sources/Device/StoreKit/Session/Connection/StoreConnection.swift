/// Carries the requests of `/device/v1` to a store and brings its answers.
///
/// There is one for a store that is reached over a network and one for a store in the same process. Neither repeats
/// anything by itself, and both say of every failure what the store may have done.
package protocol StoreConnection: Sendable {
    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer
}

/// A request to a store.
package struct StoreRequest: Hashable, Sendable {
    package var method: String
    /// What follows `/device/v1`.
    package var path: String
    package var token: String?
    /// The key of a purchase, which makes repeated requests one.
    package var key: String?
    /// In JSON.
    package var body: [UInt8]?
    /// How long the store may let the request wait for news.
    package var wait: Duration
    /// Whether it says what is to be, and not what is to be done: it may be sent over a connection that turns out to be
    /// closed, and then once more over another.
    package var isRepeatable: Bool

    package init(
        _ method: String, _ path: String, token: String? = nil, key: String? = nil, body: [UInt8]? = nil,
        wait: Duration = .zero, isRepeatable: Bool = false
    ) {
        self.method = method
        self.path = path
        self.token = token
        self.key = key
        self.body = body
        self.wait = wait
        self.isRepeatable = isRepeatable
    }
}

/// The answer of a store.
package struct StoreAnswer: Hashable, Sendable {
    package var status: Int
    /// The names in lower case.
    package var fields: [String: String]
    package var body: [UInt8]

    package init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
