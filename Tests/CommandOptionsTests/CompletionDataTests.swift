import CommandOptions
import Testing

@Suite("Data for shell completion")
struct CompletionDataTests {
    @Test("The tree tells a shell what may follow")
    func tree() throws {
        let keys = try #require(SampleProgram.program.root.subcommands.first)
        #expect(keys.subcommands.map(\.name) == ["init", "rotate"])
        let options = try #require(keys.subcommands.first).options
        #expect(options.map(\.longForm) == ["--data", "--environment", "--der", "--pem", "--verbose"])
        #expect(
            options.map(\.completion)
                == [.directories, .words(["production", "sandbox"]), .nothing, .nothing, .nothing])
        #expect(options.map(\.placeholder) == ["DIR", "ENVIRONMENT", nil, nil, nil])
        let importing = try #require(SampleProgram.program.root.subcommands.dropFirst().first)
        #expect(importing.arguments.map(\.completion) == [.files, .nothing, .nothing])
    }
}
