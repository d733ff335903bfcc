import StoreDatabase

/// What became of clocks. The table `clock` itself is older, see ``CustomerTables``; the clock of the environment has the
/// number 0, once somebody has set it, and that of a tester the number of the tester.
enum ClockTables {
    static let statements: [SQL] = [
        // An advance that is under way: its end is known before it begins, so that it can be gone on with.
        "ALTER TABLE clock ADD COLUMN advancing_to \(.integer)",
        "ALTER TABLE clock ADD COLUMN advancing_since \(.integer)",
        "ALTER TABLE clock ADD COLUMN advance_lease \(.text)",
        "ALTER TABLE clock ADD COLUMN leased_until \(.integer)",
        """
        CREATE TABLE clock_history (
            clock_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            event \(.text) NOT NULL, detail \(.text), actor \(.text) NOT NULL, request_id \(.text),
            shown_before \(.integer) NOT NULL, shown_after \(.integer) NOT NULL, rate \(.integer) NOT NULL,
            PRIMARY KEY (clock_id, number)
        ) \(.keyedTable)
        """,
    ]
}
