import StoreHTTP

// The parts of forms: sections, fields with their words and counts, choices with what each means.

/// A part of a form, with what it is for beside it.
func formSection(
    _ heading: String, _ note: String? = nil, _ kind: String = "", @HTMLBuilder content: () -> [any HTML]
) -> Element {
    let content = content()
    return section(.class(kind.isEmpty ? "sec" : "sec \(kind)")) {
        div {
            h2 { heading }
            if let note { p { note } }
        }
        div { content }
    }
}

/// A field of a form: its name above it, and below it what helps.
struct FormField {
    let name: String
    let label: String
    var id: String?
    var value = ""
    var type = "text"
    /// How much of a row it takes, `s1` to `s6`.
    var width = "s3"
    /// What helps to fill it in.
    var hint: String?
    /// How many characters it may have. They are counted where it says so.
    var limit: Int?
    var isCounted = false
    /// How many lines it shows; 1 is a line that cannot be broken.
    var lines = 1
    var language: String?
    var isRequired = false
    /// What stands before it in its line.
    var unit: String?
    var inputMode: String?
    var placeholder: String?

    private var fieldID: String { id ?? name }
    private var count: Int { value.unicodeScalars.count }

    var element: Element {
        div(.class(isTooLong ? "f \(width) wrong" : "f \(width)")) {
            if isCounted, let limit {
                div(.class("l")) {
                    StoreWeb.label(.for(fieldID)) { label }
                    span(.class("count-of"), .id(fieldID + "-count")) { "\(count) of \(limit)" }
                }
            } else {
                StoreWeb.label(.for(fieldID)) { label }
            }
            if let unit {
                div(.class("unit")) {
                    span(.class("id")) { unit }
                    input
                }
            } else {
                input
            }
            if isCounted, let limit {
                meter(.most(limit), .value("\(min(count, limit))"), .isHidden)
            }
            if let hint { p(.class("h"), .id(fieldID + "-hint")) { hint } }
        }
    }

    private var isTooLong: Bool { limit.map { count > $0 } ?? false }

    private var input: Element {
        let described = [isCounted ? fieldID + "-count" : nil, hint == nil ? nil : fieldID + "-hint"]
            .compactMap(\.self).joined(separator: " ")
        let attributes: [Attribute?] = [
            .id(fieldID), .name(name), language.map { .lang($0) }, isRequired ? .isRequired : nil,
            described.isEmpty ? nil : .describedBy(described), placeholder.map { .placeholder($0) },
            isCounted ? limit.map { .counts($0) } : nil,
        ]
        guard lines == 1 else {
            return textarea(attributes + [.rows(lines)], content: [value])
        }
        return StoreWeb.input(
            attributes + [
                .type(type), .value(value), inputMode.map { .inputMode($0) },
                inputMode == "decimal" ? .class("money") : nil, .isUnspelled,
            ], content: [])
    }
}

/// One of some choices, with what it means.
struct FormPick {
    let value: String
    let title: String
    let meaning: String
    /// By which the rest of the form follows the choice.
    let id: String
}

/// A choice of one, each with what it means.
func picks(_ name: String, _ legend: String, _ choices: [FormPick], chosen: String?) -> Element {
    fieldset {
        StoreWeb.legend(.class("unseen")) { legend }
        div(.class(choices.count.isMultiple(of: 2) ? "picks even" : "picks")) {
            for choice in choices {
                label(.class("pick")) {
                    input(
                        .type("radio"), .name(name), .value(choice.value), .id(choice.id),
                        choice.value == chosen ? .isChecked : nil)
                    span {
                        b { choice.title }
                        small { choice.meaning }
                    }
                }
            }
        }
    }
}

/// Something that is so or not.
func tick(
    _ name: String, _ text: String, _ meaning: String? = nil, id: String? = nil, value: String = "on", isOn: Bool,
    width: String = "s6"
) -> Element {
    label(.class("tick \(width)")) {
        input(.type("checkbox"), .name(name), .value(value), id.map { .id($0) }, isOn ? .isChecked : nil)
        span {
            text
            if let meaning { small { meaning } }
        }
    }
}

/// A choice of a list.
func choice(
    _ name: String, _ text: String, id: String? = nil, _ options: [(value: String, text: String)], chosen: String?,
    width: String = "s3", hint: String? = nil
) -> Element {
    div(.class("f \(width)")) {
        label(.for(id ?? name)) { text }
        select(.id(id ?? name), .name(name)) {
            for one in options {
                option(.value(one.value), one.value == chosen ? .isSelected : nil) { one.text }
            }
        }
        if let hint { p(.class("h")) { hint } }
    }
}

/// What Enter presses in a form whose first button does something else.
func unseenDefault(_ name: String? = nil, _ value: String? = nil) -> Element {
    button(
        .class("unseen"), .isPassedOver, .isHidden, name.map { .name($0) }, value.map { .value($0) }
    ) { "Send it" }
}

/// What stands at the lower edge of a long form: what a press does, and the buttons that do it.
func formBar(_ sentence: String, _ more: String = "", @HTMLBuilder buttons: () -> [any HTML]) -> Element {
    let buttons = buttons()
    return div(.class("bar")) {
        p {
            b { sentence }
            if !more.isEmpty {
                " "
                span(.class("muted")) { more }
            }
        }
        buttons
    }
}
