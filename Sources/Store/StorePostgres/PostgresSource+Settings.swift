import StoreDatabase
import StoreFoundation

extension PostgresSource {
    /// Throws if the schema has a name that would need escapes.
    init(_ settings: PostgresSettings, _ schema: Schema, _ limits: DatabaseLimits) throws {
        let name = settings.schemaName ?? schema.name
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let others = Array("0123456789_".utf8)
        guard let first = name.utf8.first, letters.contains(first), name.utf8.count <= Self.nameBytes,
            name.utf8.allSatisfy({ letters.contains($0) || others.contains($0) }), !name.hasPrefix("pg_")
        else {
            throw DatabaseError(
                .schema,
                "a schema's name has at most \(Self.nameBytes) small letters, digits and underscores, begins with a letter "
                    + "and not with pg_")
        }
        self.init(
            address: settings.address, schemaName: name, isPooled: settings.isPooled, limits: settings.limits,
            databaseLimits: limits, abandon: Waker())
    }

    /// Where to listen: directly, whatever stands before the server otherwise.
    func listening(to address: PostgresAddress?) -> PostgresSource {
        PostgresSource(
            address: address ?? self.address, schemaName: schemaName, isPooled: false, limits: limits,
            databaseLimits: databaseLimits, abandon: abandon)
    }

    private static let nameBytes = 48
}
