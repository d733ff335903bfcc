import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The snapshots of the sandbox, and how one is put back.
struct SnapshotPage {
    let visit: ConsoleVisit
    let shelf: SnapshotShelf

    static let path = "/system/snapshots"

    func response() async throws -> HTTPResponse {
        let entries = visit.environment == .sandbox ? shelf.list() : []
        var page = ConsolePage(visit: visit, title: "Snapshots", place: .system)
        page.crumbs = [("System", visit.link(SystemSection.path))]
        page.lede =
            visit.environment == .sandbox
            ? "The sandbox as it was at a moment, with the log of its test processor."
            : "Production has no snapshots: only the sandbox can go back."
        if visit.environment == .sandbox {
            page.alternatives = [
                .init(
                    command: "snapshot save before-renewals", request: "POST /system/snapshots",
                    body: #"{"name": "before-renewals"}"#),
                .init(command: "snapshot list", request: "/system/snapshots"),
            ]
        }
        return try await page.response {
            if visit.environment == .sandbox {
                if visit.may(.teams, change: true, .here) { saving }
                table(entries)
                p(.class("muted")) {
                    "To put one back, stop the store and run "
                    code { "till snapshot restore NAME" }
                    ", which takes what was bought since; to go on from it elsewhere, "
                    code { "till snapshot fork NAME FOLDER" }
                    ". They lie in "
                    code { parted(shelf.folder, after: "/") }
                    "; nothing is ever removed there."
                }
            }
        }
    }

    private var saving: Element {
        visit.form(Self.path) {
            label(.for("name")) { "Name" }
            input(
                .id("name"), .name("name"), .type("text"), .isRequired, .longest(SnapshotShelf.longestName),
                .autocomplete("off"))
            div(.class("buttons")) { button(.class("primary")) { "Keep the sandbox as it is now" } }
        }
    }

    private func table(_ entries: [SnapshotShelf.Entry]) -> [any HTML] {
        DataTable(
            title: "Snapshots", columns: [.text("Name"), .text("Made"), .amount("Size")],
            rows: entries.map { entry in
                [[entry.name], [ago(entry.madeAt, visit.now)], [BackupPage.size(entry.bytes)]]
            }, empty: [p { "None yet." }]
        ).element
    }
}
