import StoreDatabase
package import StoreModel

/// A version of hosted content that an environment delivers from a moment on.
///
/// It is noted as work of the catalogue in the transaction that makes it so: in the sandbox when its package was
/// processed, in production when it was approved. `ContentNews` tells the developer's server of it.
package struct DeliveredContent: Hashable, Sendable {
    package let item: ItemID
    package let number: Int
    package let environment: StoreEnvironment

    /// The kind of the work.
    package static let work = "content-news"

    package init(_ content: HostedContent, in environment: StoreEnvironment) {
        (item, number, self.environment) = (content.item, content.number, environment)
    }

    /// Reads the subject of a piece of work; nil if it is of another form.
    package init?(subject: String) {
        let parts = subject.split(separator: "/")
        guard parts.count == 3, let environment = StoreEnvironment(rawValue: String(parts[0])),
            let item = Int64(parts[1]).flatMap({ try? ItemID(number: $0) }), let number = Int(parts[2])
        else { return nil }
        (self.item, self.number, self.environment) = (item, number, environment)
    }

    var subject: String { "\(environment.rawValue)/\(item.number)/\(number)" }

    func note(at now: Instant, in transaction: any WriteTransaction) throws {
        try WorkTable.ensure(Work(Self.work, subject, dueAt: now, clock: .wall), in: transaction)
        try transaction.signal(Signal(ContentProcessing.topic, subject: ContentProcessing.topic.name))
    }
}
