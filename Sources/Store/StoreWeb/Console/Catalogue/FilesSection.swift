import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The catalogue as files: looked at before they are applied, and downloaded.
struct FilesSection: ConsoleSection {
    let services: ConsoleServices

    private static let file = PathParameter<String>("file", rule: "the digest of a file that was sent") {
        $0.isEmpty ? nil : $0
    }
    private static let format = PathParameter<ExportFormat>("format", rule: "catalogue or storekit") {
        ExportFormat(rawValue: $0)
    }

    var routes: [Route] {
        [
            page("/import", for: .catalogue, .both) { try await ImportPage(visit: $0).asking() },
            upload("/import", for: .catalogue, .both, limit: StoreKitFileLimits.bytes, take) {
                try await ImportPage(visit: $0).asking()
            },
            page("/import/{file}", for: .catalogue, .both, show),
            form("/import/{file}", for: .catalogue, .both, apply, else: show),
            page("/apps/{bundleId}/import", for: .catalogue, .both) { visit in
                let app = try await visit.editing.app(visit.request[ConsolePath.bundle])
                return try await ImportPage(visit: visit, app: app).asking()
            },
            page("/apps/{bundleId}/export/{format}", for: .secrets, .both, export),
        ]
    }

    private func take(_ visit: ConsoleVisit, _ input: inout UploadInput) async throws -> Link {
        let typed = input.fields["bundleId"].flatMap { $0.isEmpty ? nil : $0 }
        let bundle = try typed.map { text throws(CatalogueError) in
            guard let id = BundleID(text) else {
                throw CatalogueError(.valueInvalid, "it is no bundle id, such as com.example.app", field: "bundleId")
            }
            return id
        }
        let name = input.fields["name"].flatMap { $0.isEmpty ? nil : $0 }
        let preview = try await visit.editing.preview(
            input.collect(), into: bundle, name: name, in: visit.services.blobs)
        return visit.link("/import/\(preview.file)", ("bundleId", bundle?.text), ("name", name))
    }

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (bundle, name) = Self.target(visit, visit.sent?.items)
        let preview = try await visit.editing.preview(
            visit.request[Self.file], into: bundle, name: name, in: visit.services.blobs)
        return try await ImportPage(visit: visit).answer(preview, bundle, name)
    }

    private func apply(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (bundle, name) = Self.target(visit, input.items)
        let reports = try await visit.editing.apply(
            visit.request[Self.file], shownAs: input["fingerprint"], into: bundle, name: name,
            in: visit.services.blobs)
        guard reports.apps.count == 1, let app = reports.apps.first else { return visit.link("/apps", done: .imported) }
        return visit.link("/apps/\(app.bundleId)", done: .imported)
    }

    /// The app of a file that does not name it: of the form, or of the address.
    private static func target(_ visit: ConsoleVisit, _ items: QueryItems?) -> (BundleID?, String?) {
        let text = { (name: String) in (items?[name] ?? visit.query[name]).flatMap { $0.isEmpty ? nil : $0 } }
        return (text("bundleId").flatMap { BundleID($0) }, text("name"))
    }

    // MARK: Out

    private enum ExportFormat: String {
        // Closed: a file of ours, or one for Xcode.
        case catalogue, storekit
    }

    private func export(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let bundle = try visit.request[ConsolePath.bundle]
        switch try visit.request[Self.format] {
        case .catalogue:
            let file = try await visit.editing.export(bundle)
            return .attachment(Array(file.text.utf8), as: "application/json", named: "\(bundle).json")
        case .storekit:
            let file = try await visit.editing.exportForXcode(bundle, in: nil).file
            return .attachment(Array(file.text.utf8), as: "application/json", named: "\(bundle).storekit")
        }
    }
}
