import CPostgres
import StoreDatabase

/// Where a server is and how to get in: everything that a connection string of libpq says.
///
/// Both forms are understood, `postgresql://till@db.example.com/store?sslmode=verify-full` and
/// `host=/run/postgresql dbname=store`, with every parameter of libpq, those of TLS among them. What is left out comes from
/// libpq's variables of the environment and its password file.
///
/// The description leaves out passwords and is safe to log.
package struct PostgresAddress: Sendable {
    /// Keywords of libpq and their values.
    let parameters: [String: String]

    package init(_ text: String) throws {
        guard text.utf8.count <= Self.textBytes else {
            throw DatabaseError(.unavailable, "a connection string of PostgreSQL has at most \(Self.textBytes) bytes")
        }
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(text, &message)
        defer { PQconninfoFree(options) }
        // What libpq says may quote a part of the string, which may be the password.
        PQfreemem(message)
        guard let options, !text.utf8.contains(0) else { throw Self.invalid }
        var parameters: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        self.parameters = parameters
    }

    init(parameters: [String: String]) {
        self.parameters = parameters
    }

    /// The same place with a parameter set, unless it says something about that itself.
    func defaulting(_ keyword: String, to value: String) -> PostgresAddress {
        PostgresAddress(parameters: parameters.merging([keyword: value]) { own, _ in own })
    }

    /// The address with a parameter set; it replaces the address's own.
    func setting(_ keyword: String, to value: String) -> PostgresAddress {
        PostgresAddress(parameters: parameters.merging([keyword: value]) { _, new in new })
    }

    /// A text without the secrets of this address.
    func redacted(_ text: String) -> String {
        Self.secrets.compactMap { parameters[$0] }.filter { !$0.isEmpty }.reduce(text) { text, secret in
            text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "***")
        }
    }

    private static let secrets = ["password", "sslpassword"]
    private static let textBytes = 4096
    private static let invalid = DatabaseError(
        .unavailable,
        "the connection string of PostgreSQL is neither an address, as postgresql://user@host:5432/database, nor keywords "
            + "that libpq knows, as host=… dbname=…; values with spaces need single quotes in the one and % in the other"
    )
}

extension PostgresAddress: CustomStringConvertible {
    package var description: String {
        let shown = ["host", "hostaddr", "port", "dbname", "user", "service", "sslmode"]
        let words = shown.compactMap { keyword in parameters[keyword].map { "\(keyword)=\($0)" } }
        return "PostgreSQL at " + words.joined(separator: " ")
    }
}

extension PostgresAddress: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
