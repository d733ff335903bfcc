import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What an app is called, what it may use, its versions, its profile and its files.
struct AppSettingsSection: ConsoleSection {
    let services: ConsoleServices

    private static let version = PathParameter<String>("version", rule: "a version of the app, such as 1.0") {
        $0.isEmpty ? nil : $0
    }

    var routes: [Route] {
        let app = "/apps/{bundleId}"
        return [
            page(app + "/settings", for: .catalogue, .both, AppSettingsPage.response),
            form(app + "/settings", for: .catalogue, .both) { visit, input in
                let bundle = try visit.request[ConsolePath.bundle]
                let draft = AppDraft(name: input.trimmed("name"), primaryLanguage: input.text("primaryLanguage"))
                _ = try await visit.editing.change(draft, of: bundle, in: visit.environment)
                return visit.link("/apps/\(bundle)/settings", done: .changed)
            } else: {
                try await AppSettingsPage.response($0)
            },
            form(app + "/capabilities", for: .catalogue, .both) { visit, input in
                let bundle = try visit.request[ConsolePath.bundle]
                let wanted = AppCapability.known.filter { input[$0.rawValue] == "on" }
                _ = try await visit.editing.setCapabilities(wanted, of: bundle, in: visit.environment)
                return visit.link("/apps/\(bundle)/settings", done: .changed)
            } else: {
                try await AppSettingsPage.response($0)
            },
            form(app + "/versions", for: .catalogue, .both) { visit, input in
                let bundle = try visit.request[ConsolePath.bundle]
                _ = try await visit.editing.addVersion(input.trimmed("version"), of: bundle)
                return visit.link("/apps/\(bundle)/settings", done: .entered)
            } else: {
                try await AppSettingsPage.response($0)
            },
            form(app + "/versions/{version}/{act}", for: .catalogue, .both, changeVersion) {
                try await AppSettingsPage.response($0)
            },
            page(app + "/profile", for: .secrets, .here, profile),
        ]
    }

    private func changeVersion(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (bundle, version) = (try visit.request[ConsolePath.bundle], try visit.request[Self.version])
        let notice: Notice
        switch try visit.act(VersionAct.self) {
        case .submission:
            _ = try await visit.editing.advance(version, of: bundle, by: .submitted)
            notice = .submitted
        case .withdrawal:
            _ = try await visit.editing.advance(version, of: bundle, by: .developerRejected)
            notice = .changed
        case .removal:
            try await visit.editing.removeVersion(version, of: bundle)
            notice = .removed
        }
        return visit.link("/apps/\(bundle)/settings", done: notice)
    }

    /// The profile by which an app finds this environment, as a file.
    private func profile(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[ConsolePath.bundle])
        guard let text = try await visit.services.profile(visit.environment, app.bundleID) else {
            throw APIError(.unavailable, code: "keys_missing", "The store has no keys at hand to sign with.")
        }
        return .attachment(Array(text.utf8), as: "application/jose", named: "\(app.bundleID).tillprofile")
    }
}

/// What a developer does with a version of an app.
enum VersionAct: String, CaseIterable {
    case submission, withdrawal, removal
}

extension HTTPResponse {
    /// A file that a browser keeps instead of showing it.
    ///
    /// - Parameter name: of characters that need no quoting: letters, digits, periods and hyphens.
    static func attachment(_ bytes: [UInt8], as type: String, named name: String) -> HTTPResponse {
        var response = HTTPResponse(.ok, bytes, as: type)
        response.fields["Content-Disposition"] = "attachment; filename=\"\(name)\""
        response.fields["Cache-Control"] = "no-store"
        return response
    }
}
