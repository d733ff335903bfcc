import StoreFoundation

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
    /// Something else; the text that says so, with its arguments.
    case unknown(String, [String: TextArgument])

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
                self = .unknown("sample.no_command", ["text": .text(text)])
            }
        }
    }

    private static func purchase(_ words: [String]) -> Line {
        let all = Goods.allCases
        guard (1...2).contains(words.count), let number = Int(words[0]), (1...all.count).contains(number) else {
            return .unknown("sample.number_rule", ["count": .number(all.count)])
        }
        guard let quantity = words.count == 1 ? 1 : Int(words[1]), (1...10).contains(quantity) else {
            return .unknown("sample.quantity_rule", [:])
        }
        return .buy(all[number - 1], quantity: quantity)
    }
}
