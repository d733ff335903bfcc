/// What holds for a database, whatever engine it runs on.
///
/// ```swift
/// @Test("PostgreSQL keeps what is written", arguments: StorageCase.all)
/// func holds(_ example: StorageCase) async throws {
///     try await withPlace { try await example.check($0) }
/// }
/// ```
package struct StorageCase: Sendable, CustomStringConvertible {
    /// A sentence without its full stop.
    package let name: String
    /// Checks it in an empty place; what is not as it should be is recorded as an issue of the running test.
    package let check: @Sendable (any StoragePlace) async throws -> Void

    package var description: String { name }

    init(_ name: String, _ check: @escaping @Sendable (any StoragePlace) async throws -> Void) {
        self.name = name
        self.check = check
    }

    /// Every case.
    package static let all =
        statements + rows + values + transactions + lookUps + concurrency + migrations + signals + work + rounds
        + leases
        + outboxes
}
