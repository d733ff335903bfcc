import CommandOptions
import Testing

@Suite("Exit codes")
struct ExitCodeTests {
    @Test("The numbers are those of sysexits.h")
    func numbers() {
        #expect(ExitCode.all.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 73, 74, 75, 77, 78])
        #expect(ExitCode.usage.rawValue == 64)
        #expect(ExitCode.configuration.rawValue == 78)
    }

    @Test("Each has one sentence")
    func meanings() {
        for code in ExitCode.all { #expect(code.meaning.hasSuffix(".") && !code.meaning.contains("\n")) }
    }

    @Test("Another sentence leaves the code what it is")
    func otherSentence() {
        let code = ExitCode.unavailable.when("The store does not answer.")
        #expect(code == .unavailable)
        #expect(Set([code, .unavailable]).count == 1)
        #expect(code.meaning == "The store does not answer.")
    }
}
