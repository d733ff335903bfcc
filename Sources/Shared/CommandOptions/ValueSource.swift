/// Where the value of an option came from.
package enum ValueSource: Hashable, Sendable {
    case commandLine
    case environment
    /// The settings file.
    case file
    /// Nobody gave one: the declared default, or nothing.
    case declaration
}
