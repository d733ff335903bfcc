import StoreHTTP
import StoreModel

/// A piece of a page. Texts are escaped where they are written, so that nothing of a customer or a developer is ever markup.
///
/// ```swift
/// div(.class("card")) {
///     h1 { product.title }
///     if let text = product.description { p { text } }
/// }
/// ```
package protocol HTML: Sendable {
    func write(to output: inout HTMLOutput)
}

/// What pages are written into: one buffer, from the first byte to the last.
package struct HTMLOutput: Sendable {
    private(set) package var bytes: [UInt8] = []

    package init() {
        bytes.reserveCapacity(16 * 1024)
    }

    fileprivate mutating func markup(_ text: StaticString) {
        text.withUTF8Buffer { bytes += $0 }
    }

    /// A text between tags, or between the quotation marks of an attribute.
    fileprivate mutating func escaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): markup("&amp;")
            case UInt8(ascii: "<"): markup("&lt;")
            case UInt8(ascii: ">"): markup("&gt;")
            case UInt8(ascii: "\""): markup("&quot;")
            case UInt8(ascii: "'"): markup("&#39;")
            // Control characters have no place in HTML.
            case 0..<0x09, 0x0B, 0x0C, 0x0E..<0x20, 0x7F: break
            default: bytes.append(byte)
            }
        }
    }

    fileprivate mutating func open(_ tag: Tag, _ attributes: [Attribute]) {
        markup("<")
        markup(tag.name)
        for attribute in attributes {
            markup(" ")
            markup(attribute.name)
            guard let value = attribute.value else { continue }
            markup("=\"")
            escaped(value)
            markup("\"")
        }
        markup(">")
    }

    fileprivate mutating func close(_ tag: Tag) {
        markup("</")
        markup(tag.name)
        markup(">")
    }

    /// A whole document begins with this.
    mutating func documentType() { markup("<!doctype html>\n") }

    /// What other programs read of a page, which is no script.
    ///
    /// It is the one place where texts are written otherwise than escaped as HTML: a script element has no escapes. What could
    /// end it, or begin a comment in it, is escaped as JSON has it, so that no text leaves it.
    mutating func structuredData(_ json: String) {
        markup("<script type=\"application/ld+json\">")
        for scalar in json.unicodeScalars {
            switch scalar {
            case "<", ">", "&", "\u{2028}", "\u{2029}":
                bytes += "\\u\(String(scalar.value + 0x1_0000, radix: 16).dropFirst())".utf8
            default: bytes += String(scalar).utf8
            }
        }
        markup("</script>")
    }
}

extension String: HTML {
    package func write(to output: inout HTMLOutput) { output.escaped(self) }
}

extension Array: HTML where Element == any HTML {
    package func write(to output: inout HTMLOutput) {
        for element in self { element.write(to: &output) }
    }
}

/// An element with what is in it.
package struct Element: HTML {
    let tag: Tag
    var attributes: [Attribute]
    var content: [any HTML]

    package func write(to output: inout HTMLOutput) {
        output.open(tag, attributes)
        guard !tag.isVoid else { return }
        content.write(to: &output)
        output.close(tag)
    }
}

/// The name of an element. Names are written in the program, never made of texts.
package struct Tag: Sendable {
    let name: StaticString
    /// Whether it has no content, and no end.
    fileprivate let isVoid: Bool

    package init(_ name: StaticString, isVoid: Bool = false) {
        self.name = name
        self.isVoid = isVoid
    }

    package func callAsFunction(_ attributes: Attribute?...) -> Element {
        Element(tag: self, attributes: attributes.compactMap(\.self), content: [])
    }

    package func callAsFunction(
        _ attributes: Attribute?..., @HTMLBuilder content: () throws -> [any HTML]
    ) rethrows -> Element {
        callAsFunction(attributes, content: try content())
    }

    package func callAsFunction(_ attributes: [Attribute?], content: [any HTML]) -> Element {
        Element(tag: self, attributes: attributes.compactMap(\.self), content: content)
    }
}

/// Puts the pieces of a page after one another.
@resultBuilder
package enum HTMLBuilder {
    package static func buildExpression(_ piece: any HTML) -> [any HTML] { [piece] }
    package static func buildExpression(_ piece: (any HTML)?) -> [any HTML] { [piece].compactMap(\.self) }
    package static func buildExpression(_ pieces: [any HTML]) -> [any HTML] { pieces }
    package static func buildBlock(_ pieces: [any HTML]...) -> [any HTML] { pieces.flatMap(\.self) }
    package static func buildOptional(_ pieces: [any HTML]?) -> [any HTML] { pieces ?? [] }
    package static func buildEither(first pieces: [any HTML]) -> [any HTML] { pieces }
    package static func buildEither(second pieces: [any HTML]) -> [any HTML] { pieces }
    package static func buildArray(_ pieces: [[any HTML]]) -> [any HTML] { pieces.flatMap(\.self) }
}

// MARK: Attributes

/// An attribute of an element. Those that name other pages take a ``Link``, which is no script.
package struct Attribute: Sendable {
    let name: StaticString
    /// Nil for one that is there or not.
    let value: String?

    private init(_ name: StaticString, _ value: String?) {
        self.name = name
        self.value = value
    }

    package static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
    package static func id(_ id: String) -> Attribute { Attribute("id", id) }
    package static func `for`(_ id: String) -> Attribute { Attribute("for", id) }
    package static func name(_ name: String) -> Attribute { Attribute("name", name) }
    package static func value(_ value: String) -> Attribute { Attribute("value", value) }
    package static func type(_ type: String) -> Attribute { Attribute("type", type) }
    package static func content(_ content: String) -> Attribute { Attribute("content", content) }
    package static func lang(_ language: String) -> Attribute { Attribute("lang", language) }
    package static func role(_ role: String) -> Attribute { Attribute("role", role) }
    package static func alt(_ text: String) -> Attribute { Attribute("alt", text) }
    package static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
    package static func labelledBy(_ id: String) -> Attribute { Attribute("aria-labelledby", id) }
    package static func describedBy(_ ids: String) -> Attribute { Attribute("aria-describedby", ids) }
    package static func live(_ how: String) -> Attribute { Attribute("aria-live", how) }
    package static func autocomplete(_ what: String) -> Attribute { Attribute("autocomplete", what) }
    /// The id of the values that are suggested for a field.
    package static func list(_ id: String) -> Attribute { Attribute("list", id) }
    package static func inputMode(_ mode: String) -> Attribute { Attribute("inputmode", mode) }
    package static func rel(_ relation: String) -> Attribute { Attribute("rel", relation) }
    package static func width(_ pixels: Int) -> Attribute { Attribute("width", "\(pixels)") }
    package static func height(_ pixels: Int) -> Attribute { Attribute("height", "\(pixels)") }
    package static func href(_ link: Link) -> Attribute { Attribute("href", link.text) }
    package static func src(_ link: Link) -> Attribute { Attribute("src", link.text) }
    package static func action(_ link: Link) -> Attribute { Attribute("action", link.text) }
    /// The number of the window, for the script.
    package static func view(_ number: Int) -> Attribute { Attribute("data-view", "\(number)") }
    /// Where the script says that the window was closed.
    package static func closing(_ link: Link) -> Attribute { Attribute("data-closing", link.text) }
    package static func formAction(_ link: Link) -> Attribute { Attribute("formaction", link.text) }
    /// A form that is sent by the button is not looked through first.
    package static let isUnchecked = Attribute("formnovalidate", nil)
    /// How often the script looks whether a page is another one, in seconds.
    package static func watch(_ seconds: Int) -> Attribute { Attribute("data-watch", "\(seconds)") }
    /// The page is asked for anew after as many seconds as its content says.
    package static let refreshes = Attribute("http-equiv", "refresh")
    package static let sendsFiles = Attribute("enctype", "multipart/form-data")
    /// A form whose sending the script shows.
    package static let isUpload = Attribute("data-upload", nil)
    package static func accepts(_ types: String) -> Attribute { Attribute("accept", types) }
    package static let isPost = Attribute("method", "post")
    package static func placeholder(_ text: String) -> Attribute { Attribute("placeholder", text) }
    package static func title(_ text: String) -> Attribute { Attribute("title", text) }
    package static func dateTime(_ instant: String) -> Attribute { Attribute("datetime", instant) }
    package static func scope(_ what: String) -> Attribute { Attribute("scope", what) }
    package static func sorted(isDescending: Bool) -> Attribute {
        Attribute("aria-sort", isDescending ? "descending" : "ascending")
    }
    package static func rows(_ count: Int) -> Attribute { Attribute("rows", "\(count)") }
    package static func columns(_ count: Int) -> Attribute { Attribute("colspan", "\(count)") }
    package static func longest(_ count: Int) -> Attribute { Attribute("maxlength", "\(count)") }
    package static func viewBox(_ box: String) -> Attribute { Attribute("viewBox", box) }
    package static func x(_ position: Int) -> Attribute { Attribute("x", "\(position)") }
    package static func y(_ position: Int) -> Attribute { Attribute("y", "\(position)") }
    package static func points(_ points: String) -> Attribute { Attribute("points", points) }
    /// That a picture is stretched to its place.
    package static let isStretched = Attribute("preserveAspectRatio", "none")
    /// Which of some links leads to what is shown.
    package static let isCurrent = Attribute("aria-current", "page")
    /// Of a button that stands for what is chosen.
    package static let pressed = Attribute("aria-pressed", "true")
    package static let isDisabled = Attribute("disabled", nil)
    package static let isSelected = Attribute("selected", nil)
    package static let isOpen = Attribute("open", nil)
    /// What stands before the cell of a table where the headings have no room.
    static func narrowLabel(_ text: String) -> Attribute { Attribute("data-l", text) }
    package static let isUnspelled = Attribute("spellcheck", "false")
    /// The state of the store that a page shows, for the script.
    package static func pulse(_ state: String) -> Attribute { Attribute("data-pulse", state) }
    /// Where the script hears of another state.
    package static func pulsePath(_ link: Link) -> Attribute { Attribute("data-pulse-path", link.text) }
    /// The text that a button copies, for the script.
    package static func copies(_ text: String) -> Attribute { Attribute("data-copies", text) }
    /// The currency of an amount that is typed, which the script shows there.
    static func currency(_ currency: Currency) -> Attribute { Attribute("data-currency", currency.code) }
    /// The letter after `g` that leads where a link of the menu leads, for the script.
    package static func goesBy(_ letter: String) -> Attribute { Attribute("data-go", letter) }
    /// The letter that leads to a button, for the script.
    package static func key(_ letter: String) -> Attribute { Attribute("data-key", letter) }
    /// The page that lists the keys, for the script.
    package static let listsKeys = Attribute("data-keys", nil)
    /// What the key `/` leads to, for the script.
    package static let isSearch = Attribute("data-search", nil)
    /// What can be looked at only with a keyboard, because it scrolls.
    package static let isFocusable = Attribute("tabindex", "0")
    package static let isRequired = Attribute("required", nil)
    package static let isReadOnly = Attribute("readonly", nil)
    package static let isChecked = Attribute("checked", nil)
    package static let isDeferred = Attribute("defer", nil)
    /// A picture that is got once it comes into sight.
    package static let isLazy = Attribute("loading", "lazy")
    package static func most(_ number: Int) -> Attribute { Attribute("max", "\(number)") }
    /// What a programme of another page calls a fact of this one.
    package static func property(_ name: String) -> Attribute { Attribute("property", name) }
    package static func languageOfLink(_ language: String) -> Attribute { Attribute("hreflang", language) }
    /// Of a link to a sample, for the script that plays it: the words for starting it and for stopping it.
    package static func plays(_ media: String) -> Attribute { Attribute("data-plays", media) }
    package static func pauseLabel(_ text: String) -> Attribute { Attribute("data-pause", text) }
    package static func progressText(_ text: String) -> Attribute { Attribute("data-progress", text) }
    /// Where the script gets what somebody may look for.
    package static func suggestions(_ link: Link) -> Attribute { Attribute("data-suggestions", link.text) }
    /// A link that is opened beside the page.
    package static let inNewWindow = Attribute("target", "_blank")
    package static func suggestionsLabel(_ text: String) -> Attribute { Attribute("data-suggestions-label", text) }
    package static let isDownload = Attribute("download", nil)
    /// Of a field whose characters are counted: how many it may have, which the script goes on counting.
    static func counts(_ limit: Int) -> Attribute { Attribute("data-counts", "\(limit)") }
    /// What the cursor keys and the key for the next field pass over.
    static let isPassedOver = Attribute("tabindex", "-1")
    package static let isHidden = Attribute("aria-hidden", "true")
    package static let isInvalid = Attribute("aria-invalid", "true")
    package static let hasAutofocus = Attribute("autofocus", nil)
    package static let charset = Attribute("charset", "utf-8")
}

/// Where something leads: a path of this store, or an address of the web. Nothing else becomes an attribute, so that no text
/// of anybody is a script.
package struct Link: Hashable, Sendable {
    package let text: String

    /// A path of this store.
    package init?(path: String) {
        // Two slashes begin the name of another host.
        guard path.hasPrefix("/"), !path.hasPrefix("//"), !path.contains("\\"),
            path.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        text = path
    }

    /// A place of the same page, by its id.
    init(place id: String) {
        text = "#" + PercentEncoding.encode(id)
    }

    /// An address of the web.
    package init?(web address: String) {
        let isWeb = ["https://", "http://"].contains { address.lowercased().hasPrefix($0) }
        guard isWeb, address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else { return nil }
        text = address
    }

    /// What begins a purchase in an app.
    init(_ purchase: PurchaseIntentLink) { text = purchase.description }

    /// A path that is written in the program, or a place of the same page.
    package init(_ path: StaticString) {
        text = "\(path)"
    }
}
