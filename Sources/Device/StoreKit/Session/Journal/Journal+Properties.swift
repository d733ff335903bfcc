import StoreModel
import StoreSQLite

/// A single value that the journal keeps.
package struct JournalProperty: Hashable, Sendable {
    let name: String

    /// The place in the events up to which everything is in the journal.
    package static let cursor = JournalProperty(name: "cursor")
    /// The roots of the profile under which what is in the journal was believed.
    package static let roots = JournalProperty(name: "roots")
    /// The secret of the device for the store, and when it ends.
    package static let token = JournalProperty(name: "token")
    package static let tokenExpires = JournalProperty(name: "token_expires")
    /// What the store said last of the device, in JSON.
    package static let device = JournalProperty(name: "device")
    /// How often the person had signed out on this device when the store was last told.
    package static let signOuts = JournalProperty(name: "sign_outs")
    /// How far the time of the environment is from that of the wall, in milliseconds.
    package static let timeOffset = JournalProperty(name: "time_offset")
}

extension Journal {
    package func value(_ property: JournalProperty) throws -> String? {
        try use { try $0.value(property) }
    }

    package func set(_ values: [JournalProperty: String?]) throws {
        try change { database in
            for (property, value) in values { try database.set(property, value) }
        }
    }

    /// Lets everything be read anew if the profile has other roots than before: what was not believed then may be good now.
    package func believe(_ roots: String) throws {
        guard try value(.roots) != roots else { return }
        try set([.roots: roots, .cursor: nil])
    }

    /// The number of the last change, for those who want to know what came after it.
    package func lastChange() throws -> Int64 {
        try use { try $0.lastNumber() }
    }
}

extension JournalDatabase {
    func value(_ property: JournalProperty) throws -> String? {
        try query("SELECT value FROM property WHERE name = $1", .text(property.name)) { try $0.text(0) }.first
    }

    func set(_ property: JournalProperty, _ value: String?) throws {
        if let value {
            try execute(
                "INSERT INTO property (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2",
                .text(property.name), .text(value))
        } else {
            try execute("DELETE FROM property WHERE name = $1", .text(property.name))
        }
    }
}
