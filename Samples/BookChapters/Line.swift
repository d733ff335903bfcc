/// What the person typed.
enum Line: Hashable, Sendable {
    // Closed: only this app switches over them.
    enum Verb: String, CaseIterable, Sendable {
        case buy, get, pause, resume, cancel, read
    }

    case nothing
    case list
    case on(Chapter, Verb)
    /// A number alone.
    case choose(Chapter)
    case restore
    case help
    case quit
    /// Something else; what is wrong with it.
    case unknown(String)

    init(_ text: String) {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        switch words {
        case []: self = .nothing
        case ["list"], ["l"]: self = .list
        case ["restore"]: self = .restore
        case ["help"], ["h"], ["?"]: self = .help
        case ["quit"], ["exit"], ["q"]: self = .quit
        default: self = Self.order(words, text)
        }
    }

    private static func order(_ words: [String], _ text: String) -> Line {
        if words.count == 1, Int(words[0]) != nil {
            guard let chapter = Self.chapter(words[0]) else {
                return .unknown("Chapters are 1 to \(Chapter.allCases.count).")
            }
            return .choose(chapter)
        }
        guard let verb = Verb(rawValue: words[0]) else {
            return .unknown("I do not understand \"\(text)\"; help shows what I do.")
        }
        guard words.count == 2, let chapter = Self.chapter(words[1]) else {
            return .unknown("Say which chapter: \(verb.rawValue) 1 or \(verb.rawValue) \(Chapter.allCases.count).")
        }
        return .on(chapter, verb)
    }

    private static func chapter(_ number: String) -> Chapter? {
        Chapter.allCases.first { String($0.number) == number }
    }
}
