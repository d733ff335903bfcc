/// A table, and how values of a type become its rows: the one list of its columns, for reading and writing.
///
/// ```swift
/// static let table = RowTable<StoredCharge>("charge") {
///     Column("id", .key) { $0.id }
///     Column("amount") { $0.amount.minorUnits }
///     Column("currency") { $0.amount.currency }
///     Column("state", .changing) { $0.state.rawValue }
///     Column("history_count", .version) { $0.historyCount }
/// }
///
/// let charge = try transaction.one("SELECT \(table.columns) FROM charge WHERE id = $1", id, row: StoredCharge.init)
/// try transaction.insert(charge, into: StoredCharge.table)
/// try transaction.update(changed, from: charge, in: StoredCharge.table)
/// ```
///
/// A table is made once, in a `static let`: its statements are kept prepared under names that they get when it is made.
package struct RowTable<Record>: Sendable {
    package let name: SQL
    /// The names of the columns in the order of the list, as a query gives them to what reads a row.
    package let columns: SQL
    /// The same names, each with that of the table before it, for queries that join others.
    package let qualifiedColumns: SQL
    let insertion: SQL
    let update: SQL
    /// Where the values of all columns come from.
    let all: [Column<Record>]
    /// What an update writes.
    let changing: [Column<Record>]
    /// What finds the row that an update writes to.
    let identifying: [Column<Record>]

    package init(_ name: SQL, @ColumnsBuilder<Record> _ list: () -> [Column<Record>]) {
        let all = list()
        let changing = all.filter { $0.role == .changing || $0.role == .version }
        let identifying = all.filter { $0.role == .key || $0.role == .version }
        self.name = name
        self.all = all
        self.changing = changing
        self.identifying = identifying
        columns = all.map(\.name).joined(separator: ", ").named
        qualifiedColumns = all.map { name + "." + $0.name }.joined(separator: ", ").named
        insertion = SQL.insertion(into: name, all.map(\.name)).named
        update = SQL.update(name, changing.map(\.name), where: identifying.map(\.name)).named
    }
}

/// A column, and where its value comes from.
package struct Column<Record>: Sendable {
    let name: SQL
    let role: ColumnRole
    let value: @Sendable (Record) -> DatabaseValue

    package init<Value: ColumnValue & SendableMetatype>(
        _ name: SQL, _ role: ColumnRole = .fixed, _ value: @escaping @Sendable (Record) -> Value
    ) {
        self.init(name, role) { value($0).databaseValue }
    }

    init(_ name: SQL, _ role: ColumnRole, value: @escaping @Sendable (Record) -> DatabaseValue) {
        self.name = name
        self.role = role
        self.value = value
    }
}

/// What an update does with a column.
package struct ColumnRole: Hashable, Sendable {
    private let name: String

    /// It is written with the row and stays.
    package static let fixed = ColumnRole(name: "fixed")
    /// It is written with the row, and by each update.
    package static let changing = ColumnRole(name: "changing")
    /// It names the row, and stays.
    package static let key = ColumnRole(name: "key")
    /// It is written by each update, which fails unless the row has it as it was read.
    package static let version = ColumnRole(name: "version")
}

/// The columns of what is a part of several kinds of row, such as an offer or an item.
///
/// ```swift
/// static let columns = Columns<SoldItem> {
///     Column("item_id") { $0.id }
///     Column("product_id") { $0.product }
/// }
///
/// static let table = RowTable<SaleOrder>("sale_order") {
///     Column("id", .key) { $0.id }
///     SoldItem.columns.of { $0.item }
/// }
/// ```
package struct Columns<Record>: Sendable {
    let list: [Column<Record>]

    package init(@ColumnsBuilder<Record> _ list: () -> [Column<Record>]) {
        self.list = list()
    }

    /// The columns as those of something that has this as a part.
    ///
    /// - Parameters:
    ///   - prefix: what stands before their names.
    ///   - role: what an update does with them.
    package func of<Whole>(
        prefix: SQL? = nil, _ role: ColumnRole = .fixed, _ part: @escaping @Sendable (Whole) -> Record
    ) -> Columns<Whole> {
        let list = list.map { column in
            Column<Whole>(prefix.map { $0 + column.name } ?? column.name, role) { column.value(part($0)) }
        }
        return Columns<Whole> { list }
    }
}

/// Puts lists of columns together.
@resultBuilder
package enum ColumnsBuilder<Record> {
    package static func buildExpression(_ column: Column<Record>) -> [Column<Record>] { [column] }

    package static func buildExpression(_ columns: Columns<Record>) -> [Column<Record>] { columns.list }

    package static func buildExpression(_ list: [Column<Record>]) -> [Column<Record>] { list }

    package static func buildBlock(_ lists: [Column<Record>]...) -> [Column<Record>] { lists.flatMap { $0 } }
}

extension WriteTransaction {
    /// Writes a new row.
    package func insert<Record>(_ record: Record, into table: RowTable<Record>) throws {
        _ = try naming(table.name) { try execute(table.insertion, binding: table.all.map { $0.value(record) }) }
    }

    /// Writes what changes of a row, if its version is what it was when it was read.
    ///
    /// - Parameter known: the record as it was read. If the row is another one by now, or gone, the error has the code
    ///   `serialization`, and the same may succeed with what is read anew.
    package func update<Record>(_ record: Record, from known: Record, in table: RowTable<Record>) throws {
        let values = table.changing.map { $0.value(record) } + table.identifying.map { $0.value(known) }
        guard try naming(table.name, { try execute(table.update, binding: values) }) == 1 else {
            throw DatabaseError(
                .serialization, "a row of \(table.name.text(for: engine)) is not as it was read", isRetryable: true)
        }
    }
}
