/// What signals are about. The name is a word of small letters, digits and underscores.
package struct SignalTopic: Hashable, Sendable {
    package let name: String

    package init(_ name: StaticString) {
        self.name = name.description
    }
}
