import CommandOptions
import TestSupport
import Testing

@Suite("Settings files (X9)")
struct SettingsFileTests {
    private func outcome(
        _ line: String, file: String, environment: [String: String] = [:], reserved: Set<String> = []
    ) -> ParseResult<String> {
        SampleProgram.program.parse(
            line.split(separator: " ").map(String.init), environment: environment,
            settings: { _ in try SettingsFile(path: "shop.conf", contents: Array(file.utf8), reserved: reserved) })
    }

    private func arguments(
        _ line: String, file: String, environment: [String: String] = [:]
    ) throws -> ParsedArguments {
        guard case .run(let invocation) = outcome(line, file: file, environment: environment) else {
            throw Unexpected(result: "\(outcome(line, file: file, environment: environment))")
        }
        return invocation.arguments
    }

    private struct Unexpected: Error { let result: String }

    private func problem(_ file: String, line: String = "keys init", reserved: Set<String> = []) -> UsageError? {
        if case .failure(let error) = outcome(line, file: file, reserved: reserved) { error } else { nil }
    }

    @Test("The file outweighs the default, a variable the file, the command line the variable")
    func precedence() throws {
        let file = "data = /from/file\n"
        let fromFile = try arguments("keys init", file: file)
        #expect(fromFile[SampleOptions.data] == "/from/file")
        #expect(fromFile.source(of: SampleOptions.data) == .file)
        let fromVariable = try arguments("keys init", file: file, environment: ["TILL_DATA": "/v"])
        #expect(fromVariable[SampleOptions.data] == "/v")
        #expect(try arguments("keys init --data x", file: file)[SampleOptions.data] == "x")
    }

    @Test("Comments, empty lines, spaces, tabs and carriage returns mean nothing")
    func spacing() throws {
        let file = "# a = b\r\n\r\n \tdata\t=  /a b = c#d \r\n#\nder=true"
        let read = try arguments("keys init", file: file)
        #expect(read[SampleOptions.data] == "/a b = c#d")
        #expect(read[SampleOptions.der])
    }

    @Test("A file satisfies what is required, and serves commands that do not declare all of it")
    func required() throws {
        #expect(try arguments("keys rotate", file: "owner = Ann\ndata = /x\n")[SampleOptions.owner] == "Ann")
    }

    @Test("An option that excludes another outweighs what the file says of that")
    func exclusion() throws {
        let read = try arguments("open --der", file: "pem = true")
        #expect(read[SampleOptions.der] && !read[SampleOptions.pem])
        let variable = try arguments("open", file: "pem = true", environment: ["TILL_DER": "1"])
        #expect(variable[SampleOptions.der] && !variable[SampleOptions.pem])
        #expect(problem("pem = true\nder = true", line: "open")?.code == .conflict)
    }

    @Test("The lookup is told what the command line and the environment say")
    func lookup() throws {
        var asked: [String] = []
        let result = SampleProgram.program.parse(
            ["keys", "init", "--data", "here"],
            settings: { given in
                #expect(given.declares(SampleOptions.data) && !given.declares(SampleOptions.owner))
                // One that may be left out is not declared by being nil.
                #expect(!given.declares(SampleOptions.days))
                asked.append(given[SampleOptions.data])
                return nil
            })
        #expect(asked == ["here"])
        guard case .run = result else { throw Unexpected(result: "\(result)") }
    }

    @Test(
        "What is wrong is said with file and line",
        arguments: [
            ("data /x", "shop.conf, line 1: expected \"name = value\" or a comment that begins with #."),
            ("\n\ndata =", "shop.conf, line 3: data has no value."),
            ("data = \"/x\"", "shop.conf, line 1: the value of data is written without quotes."),
            ("dta = /x", "shop.conf, line 1: there is no setting \"dta\". Did you mean data?"),
            ("verbose = true", "shop.conf, line 1: there is no setting \"verbose\"."),
            ("data = a\n#\ndata = b", "shop.conf, line 3: data is set a second time, after line 1."),
            ("\u{1B}[2J = x", "shop.conf, line 1: there is no setting \"\\u{1B}[2J\"."),
        ])
    func problems(file: String, message: String) {
        let error = problem(file)
        #expect(error?.message == message)
        #expect(error?.code == .settings)
        #expect(error?.exitCode == .configuration)
    }

    @Test("A value that does not fit is blamed by file and line")
    func badValue() {
        let error = problem("#\nder = maybe")
        #expect(error?.message == "shop.conf, line 2 (for --der) cannot be \"maybe\": expected true or false.")
    }

    @Test("A secret that does not fit is not shown")
    func secret() throws {
        let read = try arguments("keys rotate --owner a", file: "passphrase = tiger")
        #expect(read[SampleOptions.passphrase] == "tiger")
        #expect(problem("passphrase tiger", line: "keys rotate --owner a")?.message.contains("tiger") == false)
    }

    @Test("What says where the file is cannot be set in it")
    func reserved() {
        #expect(
            problem("data = /x", reserved: ["data"])?.message
                == "shop.conf, line 1: data says where this file is, so it cannot be set in it.")
    }

    @Test("A file has at most 64 KB and is UTF-8")
    func limits() throws {
        let full = [UInt8](repeating: UInt8(ascii: "#"), count: SettingsLimits.fileBytes)
        #expect(throws: Never.self) { try SettingsFile(path: "a", contents: full) }
        #expect(throws: SettingsProblem.self) { try SettingsFile(path: "a", contents: full + [UInt8(ascii: "#")]) }
        #expect(throws: SettingsProblem.self) { try SettingsFile(path: "a", contents: [0x23, 0xFF]) }
    }

    @Test("A damaged file is read or refused, and never sets what is not in it")
    func mutations() throws {
        let genuine = "# c\nlisten = 127.0.0.1:80\ndata = /srv/shop\nder = true\n"
        var settled = 0
        for mutant in Mutants("settings files", of: [genuine, "pem = false\ndata = ./a b\n"], rounds: 4000) {
            guard let file = try? SettingsFile(path: "m", contents: mutant.bytes) else { continue }
            let result = SampleProgram.program.parse(["keys", "init"], settings: { _ in file })
            guard case .run(let invocation) = result else { continue }
            let data = invocation.arguments[SampleOptions.data]
            if data == "./till_data" { continue }
            settled += 1
            // By bytes: a combining mark makes another character of what stands before it.
            let isThere = mutant.bytes.indices.contains { mutant.bytes[$0...].starts(with: data.utf8) }
            #expect(isThere, "\(mutant)")
        }
        #expect(settled > 0)
    }
}
