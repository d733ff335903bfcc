/// What the person typed.
enum Line: Hashable, Sendable {
    case nothing
    case list
    /// The number of a product.
    case buy(Int)
    case club
    case join(Club.Plan)
    case apply(Filter, from: String, to: String)
    case restore
    case protect(String)
    case help
    case quit
    /// Something else; what is wrong with it.
    case unknown(String)

    init(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        switch (words.first?.lowercased(), words.count) {
        case (nil, _): self = .nothing
        case ("list", 1), ("l", 1): self = .list
        case ("restore", 1): self = .restore
        case ("help", 1), ("h", 1), ("?", 1): self = .help
        case ("quit", 1), ("exit", 1), ("q", 1): self = .quit
        case ("club", 1): self = .club
        case ("join", _):
            let plan = words.count == 2 ? Club.Plan(rawValue: words[1].lowercased()) : nil
            self =
                plan.map(Line.join) ?? .unknown("The Filter Club is joined by the month or by the year: join monthly")
        case ("buy", _): self = Self.purchase(Array(words.dropFirst()))
        case ("protect", 2...): self = .protect(words.dropFirst().joined(separator: " "))
        case ("protect", _): self = .unknown("Say a passphrase of eight characters or more: protect WORDS")
        case (let word?, 1) where Int(word) != nil: self = Self.purchase(words)
        case (let word?, _):
            guard let filter = Filter(rawValue: word) else {
                self = .unknown("I do not understand \"\(text)\"; help shows what I do.")
                return
            }
            self =
                words.count == 3
                ? .apply(filter, from: words[1], to: words[2])
                : .unknown("Say which picture, and where to: \(word) PICTURE RESULT")
        }
    }

    private static func purchase(_ words: [String]) -> Line {
        guard words.count == 1, let number = Int(words[0]), (1...Filter.products.count).contains(number) else {
            return .unknown("Products are 1 to \(Filter.products.count): buy 1")
        }
        return .buy(number)
    }
}
