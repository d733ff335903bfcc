import StoreModel

/// The table of contents and their versions.
struct ContentTable {
    /// A version, whose file is named by its digest.
    struct Version: Hashable, Sendable {
        let name: String
        let version: String
        let digest: String
        let bytes: Int64
        let fileName: String
        let minimumAppVersion: String?
        let maximumAppVersion: String?

        func isFor(_ appVersion: ContentVersion?) throws -> Bool {
            try AppVersionRange(first: minimumAppVersion, last: maximumAppVersion).contains(appVersion)
        }

        func file(in library: ContentLibrary) -> ContentFile {
            ContentFile(
                name: name, version: version, path: library.path(of: digest), bytes: bytes, digest: digest,
                fileName: fileName, minimumAppVersion: minimumAppVersion, maximumAppVersion: maximumAppVersion)
        }
    }

    private static let columns =
        "name, version, digest, bytes, file_name, minimum_app_version, maximum_app_version"

    let connection: any BackendConnection

    init(_ connection: any BackendConnection) {
        self.connection = connection
    }

    /// False if there is such a version already.
    func add(_ version: Version, at now: Instant) throws -> Bool {
        let values: [SQLValue] = [
            .text(version.name), .text(version.version), .text(version.digest), .integer(version.bytes),
            .text(version.fileName), SQLValue(version.minimumAppVersion), SQLValue(version.maximumAppVersion),
            SQLValue(now),
        ]
        let rows = try connection.run(
            """
            INSERT INTO backend_content (\(Self.columns), added_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (name, version) DO NOTHING RETURNING name
            """, values)
        return !rows.isEmpty
    }

    /// False if there is no such version.
    func remove(_ name: String, version: String) throws -> Bool {
        !(try connection.run(
            "DELETE FROM backend_content WHERE name = $1 AND version = $2 RETURNING name",
            [.text(name), .text(version)])).isEmpty
    }

    /// All versions of a content, or of all, the newest first within each.
    func versions(of name: String? = nil) throws -> [Version] {
        let rows =
            if let name {
                try connection.run("SELECT \(Self.columns) FROM backend_content WHERE name = $1", [.text(name)])
            } else {
                try connection.run("SELECT \(Self.columns) FROM backend_content ORDER BY name")
            }
        let versions = try rows.map { row in
            Version(
                name: try row.requiredText(0), version: try row.requiredText(1), digest: try row.requiredText(2),
                bytes: try row.requiredInteger(3), fileName: try row.requiredText(4),
                minimumAppVersion: try row.text(5), maximumAppVersion: try row.text(6))
        }
        return try versions.map { (try ContentVersion(parsing: $0.version), $0) }
            .sorted { ($0.1.name, $1.0) < ($1.1.name, $0.0) }.map(\.1)
    }

    /// The newest version of each content that a version of the app may have.
    func newest(for appVersion: ContentVersion?) throws -> [String: Version] {
        var newest: [String: Version] = [:]
        for version in try versions() where newest[version.name] == nil {
            if try version.isFor(appVersion) { newest[version.name] = version }
        }
        return newest
    }

    /// The newest version that a version of the app may have.
    func newest(_ name: String, for appVersion: ContentVersion?) throws -> Version? {
        try versions(of: name).first { try $0.isFor(appVersion) }
    }
}
