/// What the person typed.
enum Line: Hashable, Sendable {
    case nothing
    case search(String)
    /// The number of a line of the list, the number of an item, a link, or something else that is to be shown.
    case view(String)
    /// The same, to be opened outside the app.
    case open(String)
    case link(String)
    case own
    case list
    case help
    case quit
    /// Something else; what is wrong with it.
    case unknown(String)

    init(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1].split(separator: " ").joined(separator: " ") : ""
        switch (words.first?.lowercased(), rest.isEmpty) {
        case (nil, _): self = .nothing
        case ("search", false): self = .search(rest)
        case ("view", false): self = .view(rest)
        case ("open", false): self = .open(rest)
        case ("link", false): self = .link(rest)
        case ("search", true): self = .unknown("Say what is looked for: search WORDS")
        case ("view", true), ("open", true), ("link", true):
            self = .unknown("Say which: \(words[0]) 1, the number of an item, or a link")
        case ("own", true): self = .own
        case ("list", true), ("l", true): self = .list
        case ("help", true), ("h", true), ("?", true): self = .help
        case ("quit", true), ("exit", true), ("q", true): self = .quit
        case (let word?, true) where Int64(word) != nil: self = .view(word)
        default: self = .unknown("I do not understand \"\(text)\"; help shows what I do.")
        }
    }
}
