/// A hint that something changed, given to all listeners once the change is durable.
package struct Signal: Hashable, Sendable {
    package let topic: SignalTopic
    /// What changed, such as the number of a customer; nil if anything may have, because signals were missed.
    package let subject: String?

    package init(_ topic: SignalTopic, subject: String) {
        self.topic = topic
        self.subject = subject
    }

    /// What a listener gets in the place of signals that were lost: it has to look at everything.
    package init(missedOn topic: SignalTopic) {
        self.topic = topic
        subject = nil
    }

    /// The most bytes of a subject: PostgreSQL carries less than 8000 for each notification.
    package static let subjectBytes = 512
}

/// What signals are about. The name is a word of small letters, digits and underscores.
package struct SignalTopic: Hashable, Sendable {
    package let name: String

    package init(_ name: StaticString) {
        self.name = name.description
    }

    /// The topic of a signal that came from another process.
    package init(received name: String) {
        self.name = name
    }
}
