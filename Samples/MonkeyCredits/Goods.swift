/// What the app sells, in the order in which it is shown.
enum Goods: String, CaseIterable, Sendable {
    case fiveCredits = "com.example.monkeycredits.credits5"
    case tenCredits = "com.example.monkeycredits.credits10"
    case jungle = "com.example.monkeycredits.jungle"
    case season = "com.example.monkeycredits.season"
    case club = "com.example.monkeycredits.club"

    /// The credits that one of it brings.
    var credits: Int {
        switch self {
        case .fiveCredits: 5
        case .tenCredits, .club: 10
        case .jungle, .season: 0
        }
    }

    /// The name of the text that it is called by as long as the store has not said what it is called.
    var ownName: String {
        switch self {
        case .fiveCredits: "sample.goods.credits5"
        case .tenCredits: "sample.goods.credits10"
        case .jungle: "sample.goods.jungle"
        case .season: "sample.goods.season"
        case .club: "sample.goods.club"
        }
    }

    /// What the wallet keeps that the person has from then on; nil for what is used up.
    var possession: String? {
        switch self {
        case .fiveCredits, .tenCredits: nil
        case .jungle: "jungle"
        case .season: "season pass"
        case .club: "banana club"
        }
    }
}
