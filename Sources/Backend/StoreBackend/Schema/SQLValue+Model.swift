import StoreModel

// How the values of the backend are kept. Every INSERT of a key that another server may write meanwhile names the conflict:
// PostgreSQL then asks for another try, where it would call the row a duplicate otherwise.
extension SQLValue {
    init(_ instant: Instant) { self = .integer(instant.millisecondsSinceEpoch) }
    init(_ instant: Instant?) { self = instant.map { SQLValue($0) } ?? .null }
    init(_ identifier: some NumericIdentifier) { self = .integer(identifier.number) }
    init(_ identifier: some TextIdentifier) { self = .text(identifier.text) }
    init(_ environment: StoreEnvironment) { self = .text(environment.rawValue) }
}

extension SQLRow {
    func instant(_ column: Int) throws -> Instant? {
        try integer(column).map(Instant.init(millisecondsSinceEpoch:))
    }

    func requiredInstant(_ column: Int) throws -> Instant {
        Instant(millisecondsSinceEpoch: try requiredInteger(column))
    }

    func environment(_ column: Int) throws -> StoreEnvironment {
        guard let environment = StoreEnvironment(rawValue: try requiredText(column)) else {
            throw BackendError(.database, "Column \(column) of a row is no environment.")
        }
        return environment
    }
}
