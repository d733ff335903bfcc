import StoreCatalogue
import StoreHTTP

/// Forms of the console. There is no other way to make one that is sent, so that none is without the proof that it is of a
/// page of the session.
extension ConsoleVisit {
    /// - Parameter path: where it is sent, below the environment.
    func form(
        _ path: String, _ attributes: Attribute?..., @HTMLBuilder content: () throws -> [any HTML]
    ) rethrows -> Element {
        form(to: link(path), attributes, try content())
    }

    /// What a field that is counted has: what was typed, where the form comes back, else what it stands for.
    func typed(_ name: String, else value: String) -> String {
        sent?.items[name]?.replacing("\r\n", with: "\n") ?? value
    }

    /// The form that ends the session, which is of both environments.
    var signingOut: Element {
        form(to: Link("/console/sign-out"), [.class("who")]) {
            a(.class("muted"), .href(link(AccountSection.path))) { actor.name ?? actor.kind.rawValue }
            button(.class("quiet")) { "Sign out" }
        }
    }

    /// A form that sends one file. It works without a script; with one it shows how much has arrived.
    ///
    /// - Parameters:
    ///   - text: what is asked for.
    ///   - accepted: the types that are offered to choose from; what arrives is looked at whatever it says.
    func upload(_ path: String, _ text: String, button title: String, accepting accepted: String) -> Element {
        form(to: link(path), [.sendsFiles, .isUpload, .class("upload")]) {
            label(.for("file")) { text }
            input(.id("file"), .name("file"), .type("file"), .accepts(accepted), .isRequired)
            button { title }
        }
    }

    func form(_ path: String, _ attributes: [Attribute?], _ content: [any HTML]) -> Element {
        form(to: link(path), attributes, content)
    }

    private func form(
        to link: Link, _ attributes: [Attribute?], @HTMLBuilder content: () -> [any HTML]
    ) -> Element {
        form(to: link, attributes, content())
    }

    private func form(to link: Link, _ attributes: [Attribute?], _ content: [any HTML]) -> Element {
        // The proof is before a file, so that it is known before anything of the file is read.
        StoreWeb.form(
            [.isPost, .action(link)] + attributes, content: [hidden(Self.proof, proof)] + content)
    }
}

/// What a form sends along without showing it.
func hidden(_ name: String, _ value: String) -> Element { input(.type("hidden"), .name(name), .value(value)) }

/// A field of a form under its label.
func field(_ name: String, _ text: String, type: String = "text", isRequired: Bool = false) -> Element {
    div {
        label(.for(name)) { text }
        input(
            .id(name), .name(name), .type(type), .longest(254), isRequired ? .isRequired : nil,
            type == "password" ? .autocomplete("new-password") : nil)
    }
}
