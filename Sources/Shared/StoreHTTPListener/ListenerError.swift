/// Why a listener could not be started or changed. Its description is safe to log.
package struct ListenerError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The address is none, or not one of this machine.
        package static let addressInvalid = Code(rawValue: "address_invalid")
        /// Another process listens there.
        package static let addressInUse = Code(rawValue: "address_in_use")
        /// Something that is no socket lies at the path.
        package static let pathOccupied = Code(rawValue: "path_occupied")
        /// The certificate or the key cannot be read, or one does not fit the other.
        package static let identityUnreadable = Code(rawValue: "identity_unreadable")
        /// The listener has been stopped.
        package static let stopped = Code(rawValue: "stopped")
        /// The system refused something else.
        package static let system = Code(rawValue: "system")
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
