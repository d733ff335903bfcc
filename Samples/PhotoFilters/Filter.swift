/// What the app does to pictures, in the order in which it is shown.
enum Filter: String, CaseIterable, Sendable {
    case negative, sepia, mono

    /// The product that unlocks it; nil for the one that is free.
    var product: String? { self == .negative ? nil : "com.example.photofilters.\(rawValue)" }

    /// The product that unlocks all filters, those of later versions of the app too.
    static let all = "com.example.photofilters.all"

    /// What the app asks the store for.
    static var products: [String] { allCases.compactMap(\.product) + [all] }

    /// What the person calls it.
    var title: String {
        switch self {
        case .negative: "Negative"
        case .sepia: "Sepia"
        case .mono: "Black and white"
        }
    }

    /// The colour that it makes of another; each part from 0 to 255.
    func callAsFunction(_ red: Int32, _ green: Int32, _ blue: Int32) -> (red: Int32, green: Int32, blue: Int32) {
        switch self {
        case .negative: (255 - red, 255 - green, 255 - blue)
        case .sepia:
            // The weights that are usual for it, in thousandths.
            (
                min(255, (393 * red + 769 * green + 189 * blue) / 1000),
                min(255, (349 * red + 686 * green + 168 * blue) / 1000),
                min(255, (272 * red + 534 * green + 131 * blue) / 1000)
            )
        case .mono:
            // How bright the eye finds the three, as in television.
            { ($0, $0, $0) }((299 * red + 587 * green + 114 * blue) / 1000)
        }
    }
}
