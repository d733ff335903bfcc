import Foundation

/// A form of a page that is sent, as a browser reads it.
struct ShownForm {
    struct Field {
        /// `text`, `select`, `textarea`, `checkbox`, `hidden` and so on.
        let kind: String
        let name: String
        /// Of a tick what it stands for, of a choice the one that is chosen.
        let value: String
        let isTicked: Bool
        /// What can be chosen.
        var options: [String] = []

        var isTick: Bool { kind == "checkbox" || kind == "radio" }
    }

    let action: String
    let fields: [Field]

    /// What a person fills in, a name each.
    var visible: [Field] { fields.filter { $0.kind != "hidden" && $0.kind != "file" } }
    var names: Set<String> { Set(visible.map(\.name)) }

    static func all(in page: String) -> [ShownForm] {
        page.matches(of: /<form ([^>]*)>(.*?)<\/form>/.dotMatchesNewlines()).compactMap { form in
            let head = attributes(String(form.1))
            guard head["method"] == "post" else { return nil }
            return ShownForm(action: head["action"] ?? "", fields: fields(in: String(form.2)))
        }
    }

    private static func fields(in text: String) -> [Field] {
        let pattern = /<(select|textarea)([^>]*)>(.*?)<\/(?:select|textarea)>/.dotMatchesNewlines()
        let inputs = text.matches(of: /<input([^>]*)>/).map { match in
            let found = attributes(String(match.1))
            return Field(
                kind: found["type"] ?? "text", name: found["name"] ?? "", value: found["value"] ?? "",
                isTicked: found["checked"] != nil)
        }
        let others = text.matches(of: pattern).map { match in
            let (name, inner) = (attributes(String(match.2))["name"] ?? "", String(match.3))
            guard match.1 == "select" else {
                return Field(kind: "textarea", name: name, value: plain(inner), isTicked: false)
            }
            let options = inner.matches(of: /<option([^>]*)>/).map { attributes(String($0.1)) }
            let chosen = options.first { $0["selected"] != nil } ?? options.first
            return Field(
                kind: "select", name: name, value: chosen?["value"] ?? "", isTicked: false,
                options: options.compactMap { $0["value"] })
        }
        return inputs + others
    }

    private static func attributes(_ text: String) -> [String: String] {
        var found: [String: String] = [:]
        for match in text.matches(of: /([a-z\-]+)(?:="([^"]*)")?/) {
            found[String(match.1)] = plain(String(match.2 ?? ""))
        }
        return found
    }

    private static func plain(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
