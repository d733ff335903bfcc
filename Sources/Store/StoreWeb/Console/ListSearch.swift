/// How much of a list a page has.
enum ListLimits {
    static let rows = 50
    /// How much an export has, which says where it goes on.
    static let exported = 1_000
    /// Rows that are sorted in memory. A list that is longer is sorted by its ids only.
    static let sorted = 1_000
}

/// That a list was too long to be looked through as a whole.
func tooMany(_ what: String) -> Element {
    p(.class("muted")) {
        "Only the first \(ListLimits.sorted) \(what) were sorted and looked through; without a search and in the usual order "
            + "all of them are here."
    }
}

extension ConsoleVisit {
    /// What a list is looked through with. It keeps the order of the list.
    ///
    /// - Parameters:
    ///   - path: the list, below the environment.
    ///   - text: what is looked for now.
    ///   - what: what it is looked for by.
    ///   - choices: what else narrows the list.
    func search<Column>(
        _ path: String, for text: String, by what: String, _ order: TableOrder<Column>,
        @HTMLBuilder choices: () -> [any HTML] = { [] }
    ) -> Element {
        let choices = choices()
        return StoreWeb.form(.class("filters"), .action(link(path))) {
            input(.name("q"), .value(text), .label(what), .placeholder(what), .isUnspelled, .longest(254))
            choices
            order.fields
            button { "Show" }
        }
    }
}
