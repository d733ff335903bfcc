/// How a response ended on its way to the client.
package struct ResponseEnd: Hashable, Sendable {
    /// Bytes of the body that went out; nil where the transport does not know.
    package let bytes: Int?
    /// Whether all of it did, as far as the sender can tell.
    package let isComplete: Bool

    package init(bytes: Int?, isComplete: Bool) {
        self.bytes = bytes
        self.isComplete = isComplete
    }
}

/// Who wants to hear how a response ended.
package struct ResponseObservers: Sendable {
    private var all: [@Sendable (ResponseEnd) -> Void] = []

    package init() {}

    mutating func add(_ observer: @escaping @Sendable (ResponseEnd) -> Void) { all.append(observer) }

    /// Tells them. A transport does it exactly once for each response it was given, sent or not.
    package func tell(_ end: ResponseEnd) {
        for observer in all { observer(end) }
    }
}
