import Foundation

/// The page that says what of StoreKit is there.
struct ParityTable {
    let declarations: [DeclarationScan.Declaration]
    /// Those of StoreKit 2.
    let modern: [DeclarationScan.Declaration]
    /// Those of `StoreKitTest`.
    let testing: [DeclarationScan.Declaration]

    /// The page in Markdown, the same for the same sources.
    var markdown: String {
        var text = """
            # What of StoreKit is there

            This page is made from the sources by `ParityTests`; `TILL_WRITE_PARITY=1 swift test --filter ParityTests`
            writes it anew. *there* means that it does what Apple's documents say. *later* means that it can be called,
            and what it answers until the store has the part that it needs. *ours* is not known on Apple's platforms.

            ## The original API


            """
        text += sections(of: declarations)
        text += "## StoreKit 2\n\n" + sections(of: modern)
        text += "## StoreKitTest\n\n" + sections(of: testing)
        text += "## There in another form\n\n| on Apple's platforms | here |\n|---|---|\n"
        for (name, reason) in ParityNotes.different + ModernParityNotes.different {
            text += "| \(name) | \(reason) |\n"
        }
        text += "\n## Left out\n\n| declaration | reason |\n|---|---|\n"
        for (name, reason) in ParityNotes.excluded + ModernParityNotes.excluded { text += "| \(name) | \(reason) |\n" }
        text += "\n## Left out of StoreKitTest\n\n| declaration | reason |\n|---|---|\n"
        for (name, reason) in TestingParityNotes.excluded { text += "| \(name) | \(reason) |\n" }
        return text
    }

    private func sections(of declarations: [DeclarationScan.Declaration]) -> String {
        var text = ""
        for type in Set(declarations.map(\.type)).sorted() {
            text += "### \(type.isEmpty ? "Globals" : type)\n\n| declaration | state |\n|---|---|\n"
            for declaration in declarations where declaration.type == type {
                let shown = declaration.text.replacing("`", with: "")
                text += "| `\(shown)` | \(state(of: declaration)) |\n"
            }
            text += "\n"
        }
        return text
    }

    private func state(of declaration: DeclarationScan.Declaration) -> String {
        let isOwn = TestingParityNotes.own.contains { declaration.text.contains($0) }
        if isOwn || ParityNotes.own.contains(declaration.text) { return "ours" }
        if ModernParityNotes.own.contains(declaration.text) || ModernParityNotes.ownTypes.contains(declaration.type) {
            return "ours"
        }
        if ParityNotes.ownTypes.union(TestingParityNotes.ownTypes).contains(declaration.type) { return "ours" }
        guard
            let later = (ParityNotes.later + ModernParityNotes.later + TestingParityNotes.later)
                .first(where: { $0.matches(declaration) })
        else { return "there" }
        return "later: \(later.answer)"
    }
}

extension ParityNotes.Later {
    func matches(_ declaration: DeclarationScan.Declaration) -> Bool {
        declaration.type == type && (part.isEmpty || declaration.text.contains(part))
    }
}
