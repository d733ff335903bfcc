extension TestProcessor {
    /// Adds to what is to go wrong; earlier scripts come first.
    package mutating func add(_ script: TestProcessorScript) throws(TestProcessorRefusal) {
        try script.check()
        guard scripts.count < TestProcessorLimits.scripts else {
            throw TestProcessorRefusal(
                .scriptInvalid, "There are \(TestProcessorLimits.scripts) scripts already; delete them.")
        }
        scripts.append(script)
    }

    package mutating func removeScripts() { scripts = [] }

    /// What goes wrong with a call, which then is one of those it was for.
    mutating func takeScript(for call: TestProcessorCall) -> TestProcessorScript? {
        guard let index = scripts.firstIndex(where: { $0.isFor(call) }) else { return nil }
        let script = scripts[index]
        scripts[index].count -= 1
        if scripts[index].count == 0 { scripts.remove(at: index) }
        return script
    }
}
