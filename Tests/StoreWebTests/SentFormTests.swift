import StoreHTTP
import Testing

@testable import StoreWeb

@Suite("A form that was refused is shown as it was left")
struct SentFormTests {
    private static func written(_ pieces: [any HTML]) -> String {
        var output = HTMLOutput()
        pieces.write(to: &output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    private static func restored(_ text: String, @HTMLBuilder _ content: () -> [any HTML]) -> String {
        let sent = SentForm(action: "/sent", items: QueryItems(parsing: text) ?? QueryItems())
        return written(sent.restored(in: [form(.isPost, .action(Link("/sent"))) { content() }]))
    }

    @Test("What was typed is in its field, whatever stood there before")
    func typed() {
        let page = Self.restored("name=%3Cb%3E&note=a+b&count=7") {
            input(.name("name"), .value("old"))
            div { input(.name("count"), .type("number")) }
            textarea(.name("note")) { "old" }
            input(.name("other"), .value("stays"))
        }
        #expect(page.contains(#"<input name="name" value="&lt;b&gt;">"#))
        #expect(page.contains(#"type="number" value="7""#) && page.contains(">a b</textarea>"))
        #expect(page.contains(#"<input name="other" value="stays">"#) && !page.contains("old"))
    }

    @Test("What was chosen or ticked is that, and nothing else is")
    func chosen() {
        let page = Self.restored("kind=b&part=some&more=yes") {
            select(.name("kind")) {
                for one in ["a", "b"] { option(.value(one), one == "a" ? .isSelected : nil) { one } }
            }
            for one in ["all", "some"] {
                input(.type("radio"), .name("part"), .value(one), one == "all" ? .isChecked : nil)
            }
            input(.type("checkbox"), .name("more"), .value("yes"))
            input(.type("checkbox"), .name("less"), .value("yes"), .isChecked)
        }
        #expect(page.contains(#"<option value="a">"#) && page.contains(#"<option value="b" selected>"#))
        #expect(page.contains(#"value="all">"#) && page.contains(#"value="some" checked>"#))
        #expect(page.contains(#"name="more" value="yes" checked"#) && page.contains(#"name="less" value="yes">"#))
    }

    @Test("A choice that is not there any more leaves the one of the page")
    func gone() {
        let page = Self.restored("kind=z") {
            select(.name("kind")) { option(.value("a"), .isSelected) { "a" } }
        }
        #expect(page.contains(#"<option value="a" selected>"#))
    }

    @Test("Passwords are not put back, nor what the page itself hides in the form")
    func secrets() {
        let page = Self.restored("password=horse&proof=other&key=1") {
            input(.type("password"), .name("password"))
            hidden("proof", "own")
            hidden("key", "2")
        }
        #expect(!page.contains("horse") && page.contains(#"value="own""#) && page.contains(#"value="2""#))
    }

    @Test("Other forms of the page stay as they are, and what the form is folded into is open")
    func others() {
        let sent = SentForm(action: "/sent", items: QueryItems(parsing: "name=typed") ?? QueryItems())
        let page = Self.written(
            sent.restored(in: [
                details(.class("one")) { form(.isPost, .action(Link("/sent"))) { input(.name("name")) } },
                details(.class("two")) { form(.isPost, .action(Link("/other"))) { input(.name("name")) } },
                form(.action(Link("/sent"))) { input(.name("name")) },
            ]))
        #expect(page.contains(#"<details class="one" open>"#) && page.contains(#"<details class="two">"#))
        #expect(page.ranges(of: "typed").count == 1)
    }

    // MARK: What was wrong

    private static func refused(
        _ problems: [FormProblem], _ text: String = "", @HTMLBuilder _ content: () -> [any HTML]
    ) -> (page: String, wrong: [WrongField]) {
        let items = QueryItems(parsing: text) ?? QueryItems()
        let sent = SentForm(action: "/sent", items: items, problems: problems)
        let filled = sent.filled([form(.isPost, .action(Link("/sent"))) { content() }])
        return (written(filled.pieces), filled.wrong)
    }

    @Test("What is wrong stands beside its field, which says so to everybody")
    func besideField() {
        let problem = FormProblem("names.en.title", "it has at most 30 characters")
        let (page, wrong) = Self.refused([problem], "title=Long") {
            label(.for("t")) { "Title" }
            input(.id("t"), .name("title"), .describedBy("hint"))
            input(.name("other"))
        }
        #expect(
            page.contains(
                #"<input id="t" name="title" value="Long" aria-invalid="true" aria-describedby="hint t-wrong">"#
                    + #"<span class="wrong-field" id="t-wrong">It has at most 30 characters.</span>"#), "\(page)")
        #expect(wrong.map(\.label) == ["Title"] && wrong.map(\.id) == ["t"])
        #expect(page.ranges(of: "aria-invalid").count == 1)
    }

    @Test(
        "A field is found by what the use case calls it",
        arguments: [
            ("bundleId", "bundleId"), ("bundle id", "bundleId"), ("price.amount", "amount"),
            ("texts[2].title", "title"),
            ("price.currency", "price"), ("unknown", nil), (nil, nil),
        ] as [(String?, String?)])
    func namesOfFields(_ field: String?, _ input: String?) {
        let names = input == "price" ? ["bundleId", "price"] : ["other", "bundleId", "amount", "title"]
        #expect(FormProblem(field, "it is wrong").input(among: names) == input)
    }

    @Test("Within a label it stands behind that, and what the field is folded into is open")
    func insideLabel() {
        let (page, wrong) = Self.refused([FormProblem("note", "it is missing")]) {
            details {
                label {
                    "Note "
                    textarea(.name("note"))
                }
            }
            details { input(.name("other")) }
        }
        #expect(page.contains("</textarea></label><span class=\"wrong-field\""), "\(page)")
        #expect(page.ranges(of: "<details open>").count == 1 && wrong.map(\.label) == ["Note"])
    }

    @Test("Several wrong fields each have their own sentence; what is hidden or not there has none")
    func severalWrong() {
        let problems = ["a", "b", "key", "none"].map { FormProblem($0, "it is wrong") }
        let (page, wrong) = Self.refused(problems) {
            for name in ["a", "b"] { input(.name(name)) }
            hidden("key", "1")
        }
        #expect(wrong.map(\.problem.field) == ["a", "b"] && Set(wrong.map(\.id)).count == 2)
        #expect(page.ranges(of: "wrong-field").count == 2)
    }

    @Test("Of several forms with one address it is the one whose hidden fields were sent")
    func rows() {
        let sent = SentForm(action: "/sent", items: QueryItems(parsing: "row=2&name=typed") ?? QueryItems())
        let forms = ["1", "2", "3"].map { row in
            form(.isPost, .action(Link("/sent"))) {
                hidden("row", row)
                input(.name("name"))
            }
        }
        let page = Self.written(sent.restored(in: forms))
        #expect(page.ranges(of: "typed").count == 1 && page.contains(#"value="2"><input name="name" value="typed">"#))
    }
}
