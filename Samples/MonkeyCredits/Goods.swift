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

    /// What it is called as long as the store has not said what it is called.
    var ownName: String {
        switch self {
        case .fiveCredits: "5 credits"
        case .tenCredits: "10 credits"
        case .jungle: "jungle"
        case .season: "season pass"
        case .club: "banana club"
        }
    }

    /// What the person has from then on; nothing for what is used up.
    var possession: String? {
        switch self {
        case .fiveCredits, .tenCredits: nil
        case .jungle, .season, .club: ownName
        }
    }
}
