import StoreFoundation
import StoreHTTP

/// A whole page: its head, and what is in its body.
package struct Page: Sendable {
    let language: String
    let title: String
    /// The class of the body, by which the style sheet knows the kind of page.
    let kind: String
    /// After how many seconds it may be another page; nil for never. The script shows it only if it is: a page that is loaded
    /// again by itself takes the place away from whoever reads it with a keyboard or a screen reader.
    var refresh: Int?
    /// What its head has beside what all have.
    var more: [any HTML] = []
    let content: [any HTML]

    init(
        _ title: String, in language: String, kind: String, refresh: Int? = nil, more: [any HTML] = [],
        @HTMLBuilder content: () -> [any HTML]
    ) {
        self.more = more
        self.title = title
        self.language = language
        self.kind = kind
        self.refresh = refresh
        self.content = content()
    }

    func response(_ status: HTTPStatus = .ok) -> HTTPResponse {
        var output = HTMLOutput()
        output.documentType()
        html(.lang(language)) {
            head {
                meta(.charset)
                meta(.name("viewport"), .content("width=device-width, initial-scale=1"))
                if let refresh { noscript { meta(.refreshes, .content("\(refresh)")) } }
                StoreWeb.title { self.title }
                link(.rel("icon"), .type("image/svg+xml"), .href(WebAssets.icon.link))
                link(.rel("stylesheet"), .href(WebAssets.style.link))
                more
                script(.src(WebAssets.script.link), .isDeferred)
            }
            body(.class(kind), refresh.map { .watch($0) }) { content }
        }.write(to: &output)
        return HTTPResponse(page: output, status)
    }
}

extension HTTPResponse {
    /// A part of a page, which a script asks for and puts into its place.
    init(part: Element) {
        var output = HTMLOutput()
        part.write(to: &output)
        self.init(page: output, .ok)
    }

    fileprivate init(page output: HTMLOutput, _ status: HTTPStatus) {
        self.init(status, output.bytes, as: "text/html; charset=utf-8")
        // What a page shows is for one person at one moment.
        fields["Cache-Control"] = "no-store"
    }
}

extension Texts {
    /// A text of a page. A name that is not there shows itself, which a test of all texts prevents.
    func page(_ name: String, _ arguments: [String: String] = [:]) -> String {
        self(name, arguments.mapValues { .text($0) })
    }
}
