import CPostgres

/// The numbers of PostgreSQL's types.
enum PostgresType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let char: Oid = 18
    static let name: Oid = 19
    static let bigint: Oid = 20
    static let smallint: Oid = 21
    static let integer: Oid = 23
    static let text: Oid = 25
    static let oid: Oid = 26
    static let unknown: Oid = 705
    static let fixedText: Oid = 1042
    static let varyingText: Oid = 1043
    static let numeric: Oid = 1700
    static let void: Oid = 2278
}
