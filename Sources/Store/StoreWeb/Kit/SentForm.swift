import StoreHTTP

/// What a form has sent that was refused. Its page shows it as it was left: every field with what was typed, chosen or ticked.
///
/// Files cannot be put back, passwords should not be, and what is hidden is the page's own.
struct SentForm: Sendable {
    /// Where it was sent, as the form of the page names it.
    let action: String
    let items: QueryItems

    /// The page with the form that was sent filled in, and with what it is folded into open.
    func restored(in pieces: [any HTML]) -> [any HTML] { found(in: pieces).pieces }

    private func found(in pieces: [any HTML]) -> (pieces: [any HTML], isThere: Bool) {
        var isThere = false
        let pieces = pieces.map { piece -> any HTML in
            switch piece {
            case let inner as [any HTML]:
                let found = found(in: inner)
                isThere = isThere || found.isThere
                return found.pieces
            case let element as Element where element.isForm(sentTo: action):
                isThere = true
                return element.with(filled(element.content))
            case let element as Element:
                let found = found(in: element.content)
                guard found.isThere else { return element }
                isThere = true
                return element.with(found.pieces).setting(.isOpen, element.isNamed("details") ? true : nil)
            default: return piece
            }
        }
        return (pieces, isThere)
    }

    private func filled(_ pieces: [any HTML]) -> [any HTML] {
        pieces.map { piece in
            switch piece {
            case let inner as [any HTML]: filled(inner)
            case let element as Element: filled(element)
            default: piece
            }
        }
    }

    private func filled(_ element: Element) -> any HTML {
        guard let name = element["name"] else { return element.with(filled(element.content)) }
        let sent = items.values(name)
        switch "\(element.tag.name)" {
        case "input":
            return input(element, sent)
        case "select":
            guard let value = sent.first, element.options.contains(value) else { return element }
            return element.with(element.content.map { Self.option($0, isChosen: { $0 == value }) })
        case "textarea":
            return sent.first.map { element.with([$0]) } ?? element
        default:
            return element
        }
    }

    private func input(_ element: Element, _ sent: [String]) -> Element {
        switch element["type"] {
        case "hidden", "password", "file": element
        case "checkbox", "radio": element.setting(.isChecked, sent.contains(element["value"] ?? "on"))
        default: sent.first.map { element.setting(.value($0), true) } ?? element
        }
    }

    private static func option(_ piece: any HTML, isChosen: (String) -> Bool) -> any HTML {
        switch piece {
        case let inner as [any HTML]: inner.map { option($0, isChosen: isChosen) }
        case let element as Element: element.setting(.isSelected, element["value"].map(isChosen))
        default: piece
        }
    }
}

extension Element {
    fileprivate func isNamed(_ name: String) -> Bool { "\(tag.name)" == name }

    fileprivate subscript(name: String) -> String? { attributes.first { "\($0.name)" == name }?.value }

    fileprivate func isForm(sentTo action: String) -> Bool {
        isNamed("form") && self["method"] == "post" && self["action"] == action
    }

    /// The values of its options.
    fileprivate var options: [String] { Self.options(in: content) }

    private static func options(in pieces: [any HTML]) -> [String] {
        pieces.flatMap { piece -> [String] in
            if let inner = piece as? [any HTML] { return options(in: inner) }
            return (piece as? Element)?["value"].map { [$0] } ?? []
        }
    }

    fileprivate func with(_ content: [any HTML]) -> Element {
        var element = self
        element.content = content
        return element
    }

    /// The same with an attribute, or without it; nil leaves it as it is.
    fileprivate func setting(_ attribute: Attribute, _ isSet: Bool?) -> Element {
        guard let isSet else { return self }
        var element = self
        element.attributes.removeAll { "\($0.name)" == "\(attribute.name)" }
        if isSet { element.attributes.append(attribute) }
        return element
    }
}
