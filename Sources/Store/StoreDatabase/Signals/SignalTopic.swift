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
