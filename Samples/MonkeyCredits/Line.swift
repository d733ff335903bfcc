/// What the person typed.
enum Line: Hashable, Sendable {
    case nothing
    case list
    case credits
    case buy(Goods, quantity: Int)
    case restore
    case receipt
    case help
    case quit
    /// Something else; what to say about it.
    case unknown(String)

    init(_ text: String) {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        switch words {
        case []: self = .nothing
        case ["list"], ["l"]: self = .list
        case ["credits"], ["c"]: self = .credits
        case ["restore"]: self = .restore
        case ["receipt"]: self = .receipt
        case ["help"], ["h"], ["?"]: self = .help
        case ["quit"], ["exit"], ["q"]: self = .quit
        default:
            if words.first == "buy" {
                self = Self.purchase(Array(words.dropFirst()))
            } else if Int(words[0]) != nil {
                self = Self.purchase(words)
            } else {
                self = .unknown("“\(text)” is not a command; help shows what there is.")
            }
        }
    }

    private static func purchase(_ words: [String]) -> Line {
        let all = Goods.allCases
        guard (1...2).contains(words.count), let number = Int(words[0]), (1...all.count).contains(number) else {
            return .unknown("What to buy is a number from 1 to \(all.count), and perhaps how many: buy 2 3")
        }
        guard let quantity = words.count == 1 ? 1 : Int(words[1]), (1...10).contains(quantity) else {
            return .unknown("How many is a number from 1 to 10.")
        }
        return .buy(all[number - 1], quantity: quantity)
    }
}
