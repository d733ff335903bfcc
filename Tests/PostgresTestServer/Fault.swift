/// What goes wrong with a connection, and when.
package struct Fault: Hashable, Sendable {
    enum Kind: Hashable {
        case beforeSending, afterSending, beforeAnswer, silence
    }

    let kind: Kind
    /// A part of the message at whose moment it happens.
    let text: String
    /// Whether nobody gets through any more afterwards, until the proxy is opened.
    var isLasting = false

    /// The same, and nobody gets through any more until the proxy is opened.
    package var lasting: Fault { Fault(kind: kind, text: text, isLasting: true) }

    /// The connection breaks, and the message never gets to the server.
    package static func beforeSending(_ text: String) -> Fault { Fault(kind: .beforeSending, text: text) }
    /// The connection breaks while the server has the message and has not answered.
    package static func afterSending(_ text: String) -> Fault { Fault(kind: .afterSending, text: text) }
    /// The connection breaks when the server has answered, and the answer is lost.
    package static func beforeAnswer(_ text: String) -> Fault { Fault(kind: .beforeAnswer, text: text) }
    /// The message gets lost, and nothing more is heard; nothing breaks.
    package static func silence(_ text: String) -> Fault { Fault(kind: .silence, text: text) }

    func isSetOff(by message: ProxyMessage) -> Bool { message.contains(text) }
}
