import StoreHTTP

/// What a form has sent that was refused. Its page shows it as it was left: every field with what was typed, chosen or ticked,
/// and beside those that were wrong why.
///
/// Files cannot be put back, passwords should not be, and what is hidden is the page's own.
struct SentForm: Sendable {
    /// Where it was sent, as the form of the page names it.
    let action: String
    let items: QueryItems
    /// What was wrong with it.
    var problems: [FormProblem] = []
    /// Digests of the values that its page shows now, where its sender is told of them (``ConcurrentEdit``).
    var shown: String?

    /// The page with the form that was sent filled in, and with what it is folded into open.
    func restored(in pieces: [any HTML]) -> [any HTML] { filled(pieces).pieces }

    /// The same, and where the fields that were wrong stand on it.
    func filled(_ pieces: [any HTML]) -> (pieces: [any HTML], wrong: [WrongField]) {
        var filling = FormFilling(self, in: pieces)
        return (filling.found(in: pieces).pieces, filling.wrong)
    }
}

/// A field of a page whose value was refused.
struct WrongField: Hashable, Sendable {
    let problem: FormProblem
    let id: String
    /// What stands beside the field.
    let label: String?
}

/// Looks through the pieces of a page for the form that was sent, and fills it in.
private struct FormFilling {
    private let sent: SentForm
    /// Which of the forms that are sent to the same address it is; nil where they cannot be told apart.
    private let place: Int?
    /// The inputs that problems are about, by their names.
    private var problems: [String: FormProblem] = [:]
    private let labels: [String: String]
    private var forms = 0
    private(set) var wrong: [WrongField] = []

    init(_ sent: SentForm, in pieces: [any HTML]) {
        self.sent = sent
        let forms = Element.all(in: pieces) { $0.isForm(sentTo: sent.action) }
        let likeness = forms.map { form in
            Element.all(in: form.content) { $0["type"] == "hidden" }
                .filter { hidden in hidden["name"].map { sent.items[$0] == hidden["value"] } ?? false }.count
        }
        let best = likeness.indices.filter { likeness[$0] == likeness.max() }
        place = best.count == 1 ? best[0] : nil
        let form = best.first.map { forms[$0].content } ?? []
        let names = Element.all(in: form, where: \.isFilledIn).compactMap { $0["name"] }
        for problem in sent.problems {
            guard let name = problem.input(among: names), problems[name] == nil else { continue }
            problems[name] = problem
        }
        let pairs = Element.all(in: form) { $0["for"] != nil }.map { ($0["for"] ?? "", $0.text) }
        labels = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    mutating func found(in pieces: [any HTML]) -> (pieces: [any HTML], isThere: Bool) {
        var isThere = false
        let pieces = pieces.map { piece -> any HTML in
            switch piece {
            case let inner as [any HTML]:
                let found = found(in: inner)
                isThere = isThere || found.isThere
                return found.pieces
            case let element as Element where element.isForm(sentTo: sent.action):
                forms += 1
                guard place == nil || place == forms - 1 else { return element }
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

    /// - Parameter label: the text of the label that they are in.
    private mutating func filled(_ pieces: [any HTML], in label: String? = nil) -> [any HTML] {
        var filled: [any HTML] = []
        for piece in pieces {
            switch piece {
            case let inner as [any HTML]: filled.append(self.filled(inner, in: label))
            case let element as Element:
                let before = wrong.count
                var element = self.filled(element, in: label)
                let found = wrong[before...]
                if !found.isEmpty, element.isNamed("details") { element = element.setting(.isOpen, true) }
                filled.append(element)
                // What is wrong stands behind a label, whose words would be longer by it.
                guard element.isNamed("label") || element.isFilledIn && label == nil else { continue }
                for field in found {
                    filled.append(span(.class("wrong-field"), .id(field.reason)) { field.problem.sentence })
                }
            default: filled.append(piece)
            }
        }
        return filled
    }

    private mutating func filled(_ element: Element, in label: String?) -> Element {
        guard element.isFilledIn, let name = element["name"] else {
            return element.with(filled(element.content, in: element.isNamed("label") ? element.text : label))
        }
        let restored = restored(element, sent.items.values(name))
        guard let problem = problems[name] else { return restored }
        if let known = wrong.first(where: { $0.problem == problem }) { return restored.wrong(known) }
        let id = element["id"] ?? "wrong-\(wrong.count + 1)"
        // Beside the first of several choices stands what it is, not what is asked.
        let beside = element["type"] == "radio" ? nil : labels[id] ?? element["aria-label"] ?? label
        let text = beside.map {
            $0.split(separator: " ").joined(separator: " ")
        }
        let field = WrongField(problem: problem, id: id, label: text.flatMap { $0.isEmpty ? nil : $0 })
        wrong.append(field)
        return (element["id"] == nil ? restored.setting(.id(id), true) : restored).wrong(field)
    }

    private func restored(_ element: Element, _ sent: [String]) -> Element {
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
        case let group as Element where group["value"] == nil:
            group.with(group.content.map { option($0, isChosen: isChosen) })
        case let element as Element: element.setting(.isSelected, element["value"].map(isChosen))
        default: piece
        }
    }
}

extension WrongField {
    /// The id of the sentence beside the field.
    fileprivate var reason: String { "\(id)-wrong" }
}

extension Element {
    func isForm(sentTo action: String) -> Bool {
        isNamed("form") && self["method"] == "post" && self["action"] == action
    }

    /// The values of its options.
    fileprivate var options: [String] { Self.options(in: content) }

    private static func options(in pieces: [any HTML]) -> [String] {
        pieces.flatMap { piece -> [String] in
            if let inner = piece as? [any HTML] { return options(in: inner) }
            guard let element = piece as? Element else { return [] }
            return element["value"].map { [$0] } ?? options(in: element.content)
        }
    }

    fileprivate func with(_ content: [any HTML]) -> Element {
        var element = self
        element.content = content
        return element
    }

    /// The same as a field that was wrong, with the sentence that says why.
    fileprivate func wrong(_ field: WrongField) -> Element {
        let described = [self["aria-describedby"], field.reason].compactMap(\.self).joined(separator: " ")
        return setting(.isInvalid, true).setting(.describedBy(described), true)
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
