/// Cases of the rules about text: comments, space, links, words.
enum TextRuleCases {
    static let list = tasks + disabledCode + space + links + workplace

    private static let tasks = [
        RuleCase(OpenTasks(), "// TO" + "DO: more\nlet a = 1  // FIX" + "ME\n/* HA" + "CK */\n", breaksAt: 1, 2, 3),
        RuleCase(OpenTasks(), "let word = \"TO" + "DO\"\n// the currency X" + "XX stands for none\n"),
        RuleCase(OpenTasks(), "// X" + "XX: later\n", breaksAt: 1),
        RuleCase(OpenTasks(), "A TO" + "DO\nthe word `TO" + "DO`\n", breaksAt: 1, path: "A.md"),
        RuleCase(OpenTasks(), "echo TO" + "DO\necho  # TO" + "DO\n", breaksAt: 2, path: "Scripts/a.sh"),
    ]

    private static let disabledCode = [
        RuleCase(
            DisabledCode(), "// let a = 1\n// import Foundation\n// foo(bar)\n// if a {\n// }\n// return nil\n",
            breaksAt: 1, 2, 3, 4, 5, 6),
        RuleCase(DisabledCode(), "// a.b += 2\n// #expect(a == b)\n// try await a.b()\n", breaksAt: 1, 2, 3),
        RuleCase(DisabledCode(), "/* let a = 1\n   b = c;\n*/\n", breaksAt: 1, 2),
        RuleCase(
            DisabledCode(),
            "// Let a be one.\n// If it is lost (see above)\n// return early when done\n// import what is needed\n"),
        RuleCase(DisabledCode(), "/// ```swift\n/// let a = 1\n/// ```\n// MARK: - Days\n// 400 years = 146097 days\n"),
    ]

    private static let space = [
        RuleCase(Whitespace(), "let a = 1 \n\tlet b = 2\nlet c = 3\r\n", breaksAt: 1, 2, 3),
        RuleCase(Whitespace(), "let a = 1\n\n", breaksAt: 2),
        RuleCase(Whitespace(), "let a = 1", breaksAt: 1),
        RuleCase(Whitespace(), "let a = 1\n\nlet b = 2\n"),
        RuleCase(Whitespace(), "a:\n\tb\n", path: "Makefile"),
        RuleCase(Whitespace(), "a \n", path: "Tests/XTests/Golden/a.txt"),
    ]

    private static let links = [
        RuleCase(
            MarkdownLinks(), "[a](B.md)\n[c](missing.md) and [d](../out.md)\n[e](#gone)\n[f]: none.md\n",
            breaksAt: 1, 2, 2, 3, 4, path: "A.md"),
        RuleCase(
            MarkdownLinks(),
            [
                "Docs/A.md": "[a](B.md#two-words) [b](../C.md) [c](/C.md) [d](https://x.y/z) [e](..) [f](#top-1)\n"
                    + "# Top\n# `Top`\n",
                "Docs/B.md": "## Two Words\n", "C.md": "text\n",
            ], breaksAt: []),
        RuleCase(MarkdownLinks(), "```\n[a](none.md)\n```\nwords `[b](none.md)`\n", path: "A.md"),
        RuleCase(
            MarkdownLinks(), ["A.md": "[a](B.md#three)\n", "B.md": "# Two\n```\n# three\n```\n"],
            breaksAt: ["A.md:1"]),
    ]

    private static let workplace = [
        RuleCase(WorkplaceWords(), "// as in Cla" + "ude's\nlet a = \"/wo" + "rk/x\"\n", breaksAt: 1, 2),
        RuleCase(
            WorkplaceWords(), "see ses" + "sion 3\nsee iss" + "ue #4\nan age" + "nt\n", breaksAt: 1, 2, 3, path: "A.md"),
        RuleCase(WorkplaceWords(), "see DES" + "IGN.md\n", breaksAt: 1, path: "A.md"),
        RuleCase(WorkplaceWords(), "the User-Agent of a session\nan issue\n/network/x\n3 sessions\n", path: "A.md"),
    ]
}
