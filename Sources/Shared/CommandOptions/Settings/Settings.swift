import StoreModel

/// What a settings file says of the options of a program.
struct Settings {
    private let file: SettingsFile
    private let entries: [String: SettingsFile.Entry]

    /// Only options with an environment variable are settings; the others belong to one run of a command.
    ///
    /// - Parameter known: every option of the program, so that one file serves all of its commands.
    init(_ file: SettingsFile, known: [any OptionDeclaration]) throws(SettingsProblem) {
        let names = Set(known.filter { $0.environment != nil }.map(\.name)).subtracting(file.reserved)
        var entries: [String: SettingsFile.Entry] = [:]
        for entry in file.entries {
            func problem(_ message: String, advice: String? = nil) -> SettingsProblem {
                SettingsProblem(path: file.path, line: entry.line, message: message, advice: advice)
            }
            if file.reserved.contains(entry.name) {
                throw problem("\(entry.name) says where this file is, so it cannot be set in it.")
            }
            guard names.contains(entry.name) else {
                throw problem(
                    "there is no setting \"\(PrintableText(entry.name))\".",
                    advice: NearestName.of(entry.name, among: names.sorted()).map { "Did you mean \($0)?" })
            }
            if let first = entries[entry.name] {
                throw problem("\(entry.name) is set a second time, after line \(first.line).")
            }
            entries[entry.name] = entry
        }
        self.file = file
        self.entries = entries
    }

    func text(of option: any OptionDeclaration) -> String? { entries[option.name]?.text }

    /// Where an option is set, for messages: "till.conf, line 3 (for --listen)".
    func origin(of option: any OptionDeclaration) -> String {
        let line = entries[option.name].map { ", line \($0.line)" } ?? ""
        return "\(PrintableText(file.path))\(line) (for \(option.longForm))"
    }
}
