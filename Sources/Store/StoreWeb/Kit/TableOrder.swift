import StoreHTTP

/// By which column a list is sorted, and which way. It is a part of the address, so that it works without a script, and a
/// list can be kept as a bookmark.
///
/// ```
/// /console/sandbox/customers?sort=email&order=desc
/// ```
struct TableOrder<Column: RawRepresentable<String> & Hashable & Sendable>: Hashable, Sendable {
    let column: Column
    let isDescending: Bool
    /// Whether the list is sorted like this when nobody asks for an order.
    let isStandard: Bool

    /// What a page was asked for. A column that it does not have counts as nothing, as do other parameters of pages that
    /// mean nothing.
    init(_ query: QueryItems, standard: Column, isDescending: Bool = false) {
        let asked = query["sort"].flatMap(Column.init)
        self.init(
            asked ?? standard, isDescending: asked == nil ? isDescending : query["order"] == "desc",
            standard: (standard, isDescending))
    }

    private init(_ column: Column, isDescending: Bool, standard: (column: Column, isDescending: Bool)) {
        self.column = column
        self.isDescending = isDescending
        isStandard = column == standard.column && isDescending == standard.isDescending
        self.standard = Standard(column: standard.column, isDescending: standard.isDescending)
    }

    private struct Standard: Hashable, Sendable {
        let column: Column
        let isDescending: Bool
    }

    private let standard: Standard

    /// Its part of an address.
    var items: [(name: String, value: String?)] {
        isStandard ? [] : [("sort", column.rawValue), ("order", isDescending ? "desc" : "asc")]
    }

    /// Its part of a form that looks for something in the list.
    @HTMLBuilder var fields: [any HTML] {
        for item in items { input(.type("hidden"), .name(item.name), .value(item.value ?? "")) }
    }

    /// What the heading of a column leads to: its order, or the other way where the list has that already.
    ///
    /// - Parameter descendingFirst: whether the largest or newest is what one looks for first.
    func heading(
        _ column: Column, descendingFirst: Bool = false, _ link: (TableOrder) -> Link
    ) -> DataTable.Sorting {
        let isCurrent = column == self.column
        let next = TableOrder(
            column, isDescending: isCurrent ? !isDescending : descendingFirst,
            standard: (standard.column, standard.isDescending))
        return DataTable.Sorting(link: link(next), isDescending: isCurrent ? isDescending : nil)
    }

    /// The part of a list that is kept in memory: sorted, from the row that follows a known one.
    ///
    /// - Parameters:
    ///   - areInOrder: whether one row is before another as this column sorts; no two rows are equal in it.
    ///   - isKnown: the last row that was seen.
    func sorted<Row>(
        _ rows: [Row], after isKnown: ((Row) -> Bool)?, _ areInOrder: (Row, Row) -> Bool
    ) -> ArraySlice<Row> {
        let sorted = rows.sorted { isDescending ? areInOrder($1, $0) : areInOrder($0, $1) }
        guard let isKnown, let place = sorted.firstIndex(where: isKnown) else { return sorted[...] }
        return sorted[(place + 1)...]
    }
}
