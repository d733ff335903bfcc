/// What the app sells, in the order in which it is shown.
enum Chapter: String, CaseIterable, Sendable {
    case first = "com.example.bookchapters.chapter1"
    case second = "com.example.bookchapters.chapter2"

    /// What the person calls it.
    var number: Int { self == .first ? 1 : 2 }

    /// What it is called as long as the store has not said so.
    var ownName: String { "Chapter \(number)" }
}
