import StoreCatalogue
import StoreHTTP
import StoreRules

/// The version of the app that a product is submitted with, among those that are open.
struct VersionField {
    let checklist: ProductChecklist
    /// Where versions are entered.
    let settings: Link

    var element: Element {
        div(.class("f s3")) {
            label(.for("version")) { "With the version of the app" }
            select(.id("version"), .name("version"), .describedBy("version-hint")) {
                if !checklist.needsVersion || checklist.openVersions.isEmpty {
                    option(.value("")) { checklist.openVersions.isEmpty ? "none is open" : "none" }
                }
                for version in checklist.openVersions.reversed() {
                    option(.value(version)) { version }
                }
            }
            p(.class("h"), .id("version-hint")) {
                checklist.needsVersion
                    ? "The first product of its kind goes with one, which is submitted with it. "
                    : "If it goes with one, that is submitted with it. "
                a(.href(settings)) { "Versions of the app" }
            }
        }
    }
}

extension ProductChecklist {
    /// How far it is, in a word or two: what lacks something is not ready.
    var words: String {
        guard state == .readyToSubmit, !missing.isEmpty else { return state.rawValue.replacing("_", with: " ") }
        return missing.count == 1 ? "1 thing missing" : "\(missing.count) things missing"
    }
}
