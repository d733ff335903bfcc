import StoreHTTP
import StoreService

/// What the process is set to, and where each setting came from.
struct SettingsPage {
    let visit: ConsoleVisit
    let system: StoreSystem

    func response() async throws -> HTTPResponse {
        let settings = system.settings
        let given = settings.count { $0.source != .standard }
        var page = ConsolePage(visit: visit, title: "Settings", place: .system)
        page.crumbs = [("System", visit.link(SystemSection.path))]
        page.lede =
            "\(given) of \(settings.count) settings were given; the others are as they are by default. They are read when the "
            + "store is started."
        page.alternatives = [.init(command: "settings show", request: "/system/settings")]
        return try await page.response {
            DataTable(
                title: "Settings", columns: [.text("Setting"), .text("Value"), .text("From"), .optional("What it is")],
                rows: settings.map { setting in
                    [
                        [span(.class("id")) { setting.name }], value(setting), source(setting),
                        [setting.help],
                    ]
                }, empty: [p { "Nothing is known of the settings of this process." }]
            ).element
        }
    }

    private func value(_ setting: SystemSetting) -> [any HTML] {
        let isEmpty = setting.value == nil
        return [span(.class(isEmpty ? "faint" : "id")) { setting.text }]
    }

    private func source(_ setting: SystemSetting) -> [any HTML] {
        switch setting.source {
        case .standard: ["default"]
        case .option: ["the option ", code { setting.place ?? "" }]
        case .variable: ["the variable ", code { setting.place ?? "" }]
        case .file: [code { parted(setting.place ?? "", after: "/") }]
        }
    }
}
