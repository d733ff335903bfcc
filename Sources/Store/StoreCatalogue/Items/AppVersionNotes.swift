import StoreDatabase
import StoreModel
import StoreRules

/// What is new in the versions of apps, by language.
enum AppVersionNotes {
    struct Key: Hashable {
        let app: AppID
        let version: String
    }

    /// The notes of all versions of these apps.
    static func list(
        ofApps ids: some Sequence<AppID>, in transaction: any ReadTransaction
    ) throws -> [Key: [String: String]] {
        var notes: [Key: [String: String]] = [:]
        _ = try transaction.query(
            "SELECT app_id, version, language, note FROM app_version_note WHERE app_id IN \(.numbers)", of: ids
        ) { row in
            var cells = row.cells
            let key = try Key(app: cells.next(), version: cells.next())
            notes[key, default: [:]][try cells.next()] = try cells.next()
        }
        return notes
    }

    /// Says what is new in a version; an empty text takes that away. What was approved stays.
    static func set(
        _ note: String, in language: String, of version: String, _ app: AppID, _ change: CatalogueChange
    ) throws {
        let found = try AppVersions.require(version, of: app, in: change.transaction)
        guard found.review.state != .approved else {
            throw CatalogueError(
                .stateWrong, "version \(version) is approved with what was said of it", field: "version")
        }
        let language = try CatalogueText.language(language, field: "language")
        let note = try CatalogueText.lines(note, atMost: ItemLimits.note, field: "note")
        try CatalogueAudit.audit(.app(app), "notes of version \(version)", change) {
            if note.isEmpty {
                try change.transaction.execute(
                    "DELETE FROM app_version_note WHERE app_id = $1 AND version = $2 AND language = $3", app, version,
                    language)
            } else {
                try change.transaction.insertOrUpdate(
                    "app_version_note", ["note": note], key: ["app_id": app, "version": version, "language": language])
            }
        }
    }
}
