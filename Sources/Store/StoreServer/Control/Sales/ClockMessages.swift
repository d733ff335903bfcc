package import StoreHTTP
package import StoreModel
import StoreService

/// What is changed of a clock: its time or its rate.
package struct ClockChange: Codable, Hashable, Sendable {
    /// What it shows from now on; never earlier than what it shows already.
    package var time: Instant?
    /// How many of its milliseconds go by in a second: 0 stands still, 1000 is real time.
    package var rate: Int64?
    package var confirmed: Bool?

    package init(time: Instant? = nil, rate: Int64? = nil, confirmed: Bool? = nil) {
        (self.time, self.rate, self.confirmed) = (time, rate, confirmed)
    }
}

/// How far a clock is advanced: by a step or to a time.
package struct ClockAdvanceRequest: Codable, Hashable, Sendable {
    /// A number and a unit: `1mo`, `10d`, `90s`.
    package var by: String?
    package var to: Instant?
    package var confirmed: Bool?

    package init(by: String? = nil, to: Instant? = nil, confirmed: Bool? = nil) {
        (self.by, self.to, self.confirmed) = (by, to, confirmed)
    }
}

extension ClockChange: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["confirmed": ClockAdvanceRequest.confirmed] }
}

extension ClockAdvanceRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["confirmed": confirmed] }

    /// One of both messages.
    fileprivate static let confirmed = JSONSchema.boolean(
        "Whether it is meant that the clock goes more than \(Clocks.unaskedYears) years ahead; it never goes back.")
}

package struct ClockReport: Codable, Hashable, Sendable {
    package struct Entry: Codable, Hashable, Sendable {
        package var date: Instant
        package var actor: String
        package var requestId: String?
        package var act: String
        package var from: Instant
        package var to: Instant
        package var rate: Int64
    }

    package var time: Instant
    package var wallTime: Instant
    package var rate: Int64
    package var customerId: CustomerID?
    /// Whether somebody has set it: what is not shows the time on the wall, or that of the environment.
    package var isSet: Bool
    /// Where the advance ends that is under way.
    package var advancingTo: Instant?
    /// What was done with it last, the newest first.
    package var history: [Entry]

    init(_ shown: Clocks.Shown) {
        time = shown.time
        wallTime = shown.wall
        rate = shown.state.clock.rate
        customerId = shown.state.tester
        isSet = shown.state.isSet
        advancingTo = shown.state.advance?.goal
        history = shown.history.map {
            Entry(
                date: $0.at, actor: $0.actor, requestId: $0.request, act: $0.act, from: $0.before, to: $0.after,
                rate: $0.rate)
        }
    }
}

package struct ClockAdvanceReport: Codable, Hashable, Sendable {
    package struct Turns: Codable, Hashable, Sendable {
        package var kind: String
        package var ending: String
        package var count: Int
    }

    package struct Event: Codable, Hashable, Sendable {
        package var date: Instant
        package var customerId: CustomerID
        package var kind: CustomerEventKind
        package var productId: ProductID?
        package var transactionId: TransactionID?
    }

    package var from: Instant
    package var to: Instant
    /// The turns of work, by kind and by how they ended.
    package var turns: [Turns]
    /// The kind of work that was still due at the end; missing if all is quiet.
    package var keptBusyBy: String?
    /// What customers were told, the earliest first; at most 100 of ``eventCount``.
    package var events: [Event]
    package var eventCount: Int
    package var clock: ClockReport

    init(_ advance: ClockAdvance) {
        from = advance.from
        to = advance.goal
        turns = advance.turns.sorted { $0.key < $1.key }.flatMap { kind, endings in
            endings.sorted { $0.key < $1.key }.map { Turns(kind: kind, ending: $0.key, count: $0.value) }
        }
        keptBusyBy = advance.keptBusyBy
        events = advance.events.map {
            Event(
                date: $0.at, customerId: $0.customer, kind: $0.kind, productId: $0.product,
                transactionId: $0.transaction)
        }
        eventCount = advance.eventCount
        clock = ClockReport(advance.clock)
    }
}
