import CommandOptions
import Testing

@Suite("Mistakes in declarations")
struct DeclarationCheckTests {
    @Test("A sound program has none")
    func sound() {
        #expect(SampleProgram.program.declarationProblems == [])
    }

    @Test("Each kind of mistake is found")
    func mistakes() {
        let twin = Option.flag("data", short: "d", help: "Another.")
        let help = Option.flag("help", help: "Mine.")
        let digit = Option.flag("one", short: "1", environment: "HOME", help: "no sentence")
        let shouting = Option.flag("LOUD", help: "Loud.")
        let cases: [(Command<String>, String)] = [
            (Command("x", "No sentence", action: "x"), "x: the abstract is no sentence"),
            (Command("X", "A.", action: "x"), "X: the name is not in small letters"),
            (Command("x", "A."), "x: it has nothing to do"),
            (Command("x", "A.", options: [SampleOptions.data, twin], action: "x"), "x: two options are named --data"),
            (Command("x", "A.", options: [SampleOptions.data, twin], action: "x"), "x: two options are named -d"),
            (Command("x", "A.", options: [help], action: "x"), "x: --help: help is reserved"),
            (Command("x", "A.", options: [digit], action: "x"), "x: the help of --one is no sentence"),
            (Command("x", "A.", options: [digit], action: "x"), "x: the short form of --one is no letter"),
            (
                Command("x", "A.", options: [digit], action: "x"),
                "x: HOME is no name of an environment variable of ours"
            ),
            (Command("x", "A.", options: [shouting], action: "x"), "x: --LOUD is not in small letters"),
            (
                Command("x", "A.", arguments: [SampleOptions.more, SampleOptions.count], action: "x"),
                "x: an argument follows the rest"
            ),
            (
                Command("x", "A.", arguments: [SampleOptions.count, SampleOptions.file], action: "x"),
                "x: a required argument follows an optional one"
            ),
            (
                Command("x", "A.", arguments: [SampleOptions.file, SampleOptions.file], action: "x"),
                "x: two arguments are named FILE"
            ),
            (
                Command("x", "A.", rules: [.atMostOne(SampleOptions.der)], action: "x"),
                "x: a rule names --der, which is not declared"
            ),
            (
                Command(
                    "x", "A.", arguments: [SampleOptions.file], subcommands: [SampleProgram.open, SampleProgram.open]),
                "x: it has subcommands and arguments"
            ),
            (
                Command("x", "A.", subcommands: [SampleProgram.open, SampleProgram.open]),
                "x: two subcommands are named open"
            ),
            (Command("x", "A.", subcommands: [Command("help", "A.", action: "h")]), "x: help is reserved"),
        ]
        for (command, problem) in cases {
            #expect(Program(command).declarationProblems.contains(problem), "\(problem)")
        }
    }

    @Test("An option of a group clashes with one below it")
    func inheritedClash() {
        let child = Command<String>("y", "A.", options: [StandardOptions.json], action: "y")
        let root = Command<String>("x", "A.", options: [StandardOptions.json], subcommands: [child])
        #expect(Program(root).declarationProblems == ["x y: two options are named --json"])
    }
}
