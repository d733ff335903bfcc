/// What an examination of one part of a store found, and how to mend it.
struct Finding: Hashable, Sendable, Encodable {
    enum Level: String, Sendable, Encodable {
        case ok
        /// It works, but will not for long, or not well.
        case warning
        /// Something does not work.
        case problem
    }

    let part: String
    let level: Level
    /// What is so, in one sentence without its full stop.
    let message: String
    /// What to do about it; nil where all is well.
    let remedy: String?

    static func ok(_ part: String, _ message: String) -> Finding {
        Finding(part: part, level: .ok, message: message, remedy: nil)
    }

    static func warning(_ part: String, _ message: String, remedy: String) -> Finding {
        Finding(part: part, level: .warning, message: message, remedy: remedy)
    }

    static func problem(_ part: String, _ message: String, remedy: String) -> Finding {
        Finding(part: part, level: .problem, message: message, remedy: remedy)
    }
}
