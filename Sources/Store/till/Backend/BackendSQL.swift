import CommandOptions
import StoreBackend

/// `till backend sql`
enum BackendSQL {
    private static let dialect = Option<SQLDialect>.required(
        "dialect", .choice("DIALECT", of: SQLDialect.self), help: "Which database the statements are for.")

    static let command = Command<TillProgram.Action>(
        "sql", "Print the SQL by which a server in any language fulfils each purchase once.",
        discussion: """
            A server of your own, written in whatever language, keeps these tables beside its own and runs these statements in \
            the transaction in which it gives what was bought. However often it hears of a purchase, and whenever it crashes, \
            it gives each once, and takes back what was refunded. The comments say how; no store and no data directory is needed.
            """,
        options: [dialect],
        examples: [
            Example("Make the tables, and keep the statements", "till backend sql --dialect postgres > fulfilment.sql"),
            Example("For SQLite", "till backend sql --dialect sqlite"),
        ],
        action: { arguments, context in context.print(FulfilmentSQL.text(arguments[dialect])) })
}
