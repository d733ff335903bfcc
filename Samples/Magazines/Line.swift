/// What the person typed.
enum Line: Hashable, Sendable {
    // Closed: only this app switches over them.
    enum Verb: String, CaseIterable, Sendable {
        case buy, later, get, pause, read
    }

    case nothing
    case list
    /// The place in the list, from 1.
    case on(Int, Verb)
    case join(name: String, password: String)
    case enter(name: String, password: String)
    case leave
    case restore
    case help
    case quit
    /// Something else; what is wrong with it.
    case unknown(String)

    init(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        switch (words.first?.lowercased() ?? "", words.count) {
        case ("", _): self = .nothing
        case ("list", 1), ("l", 1): self = .list
        case ("join", 3): self = .join(name: words[1], password: words[2])
        case ("enter", 3): self = .enter(name: words[1], password: words[2])
        case ("join", _), ("enter", _): self = .unknown("Say who you are: \(words[0].lowercased()) NAME PASSWORD")
        case ("leave", 1): self = .leave
        case ("restore", 1): self = .restore
        case ("help", 1), ("h", 1), ("?", 1): self = .help
        case ("quit", 1), ("exit", 1), ("q", 1): self = .quit
        default: self = Self.order(words, text)
        }
    }

    private static func order(_ words: [String], _ text: String) -> Line {
        guard let verb = Verb(rawValue: words[0].lowercased()) else {
            return .unknown("I do not understand \"\(text)\"; help shows what I do.")
        }
        guard words.count == 2, let number = Int(words[1]), number > 0 else {
            return .unknown("Say which one: \(verb.rawValue) 1")
        }
        return .on(number, verb)
    }
}
