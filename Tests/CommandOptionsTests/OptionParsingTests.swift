import CommandOptions
import Testing

@Suite("Options on the command line")
struct OptionParsingTests {
    @Test(
        "Every way to write a value means the same",
        arguments: [
            "keys init --data /srv", "keys init --data=/srv", "keys init -d /srv", "keys init -d/srv",
            "keys init -d=/srv", "keys init -vd /srv", "keys init -vd/srv", "--json keys init --data /srv",
        ])
    func waysToWriteAValue(line: String) throws {
        let arguments = try #require(Outcome(line).arguments)
        #expect(arguments[SampleOptions.data] == "/srv")
        #expect(arguments.source(of: SampleOptions.data) == .commandLine)
    }

    @Test("An option that is not given has its default, nil, false or nothing")
    func absentOptions() throws {
        let initialise = try #require(Outcome("keys init").arguments)
        #expect(initialise[SampleOptions.data] == "./till_data")
        #expect(initialise[SampleOptions.world] == .production)
        #expect(initialise[SampleOptions.verbose] == false)
        #expect(initialise[StandardOptions.json] == false)
        #expect(initialise.source(of: SampleOptions.data) == .declaration)
        let rotate = try #require(Outcome("keys rotate --owner=Ann").arguments)
        #expect(rotate[SampleOptions.days] == nil)
        let importing = try #require(Outcome("import a").arguments)
        #expect(importing[SampleOptions.tags] == [])
    }

    @Test("Flags stand alone, together, and with a value that takes them back")
    func flags() throws {
        let together = try #require(Outcome("keys init -pv").arguments)
        #expect(together[SampleOptions.pem] && together[SampleOptions.verbose])
        #expect(try #require(Outcome("keys init --verbose=yes").arguments)[SampleOptions.verbose])
        #expect(try !#require(Outcome("keys init --verbose=false").arguments)[SampleOptions.verbose])
        #expect(try !#require(Outcome("keys init -v=0").arguments)[SampleOptions.verbose])
    }

    @Test("Repeated options keep their order")
    func repeatedOptions() throws {
        let arguments = try #require(Outcome("import --tag one a -t two --tag=three").arguments)
        #expect(arguments[SampleOptions.tags] == ["one", "two", "three"])
        #expect(arguments[SampleOptions.file] == "a")
    }

    @Test("Another option given twice is refused, even with the same value")
    func twice() throws {
        let error = try #require(Outcome("keys init --data a -d a").error)
        #expect(error.code == .repeatedOption)
        #expect(error.message == "--data is given more than once.")
    }

    @Test("A value may hold spaces, equals signs and dashes")
    func oddValues() throws {
        let cases = [("--data=a=b", "a=b"), ("--data=--json", "--json"), ("-d=-x", "-x"), ("--data=  ", "  ")]
        for (word, value) in cases {
            let arguments = try #require(Outcome(words: ["keys", "init", word]).arguments, "\(word)")
            #expect(arguments[SampleOptions.data] == value)
        }
        let standardInput = try #require(Outcome("keys init --data -").arguments)
        #expect(standardInput[SampleOptions.data] == "-")
    }

    @Test(
        "A forgotten value is noticed instead of eating the next option",
        arguments: ["keys init --data", "keys init --data --verbose", "keys init -d -v", "keys init --data --"])
    func missingValue(line: String) throws {
        let error = try #require(Outcome(line).error)
        #expect(error.code == .missingValue)
        #expect(error.subject == "--data")
        #expect(error.message.hasSuffix(" needs a value: \(line.contains("-d ") ? "-d" : "--data") DIR."))
    }

    @Test("A list is one value with commas")
    func lists() throws {
        let arguments = try #require(Outcome("keys rotate --owner=a --lengths 1,2,3").arguments)
        #expect(arguments[SampleOptions.lengths] == [1, 2, 3])
        for bad in ["1,,2", ",", "1,x", "1,10"] {
            let error = try #require(Outcome("keys rotate --owner=a --lengths \(bad)").error)
            #expect(error.code == .invalidValue)
            #expect(error.message.contains("expected a whole number from 0 to 9, several with commas between them."))
        }
    }

    @Test("All missing options are named at once, with the variables that would do")
    func missingOption() throws {
        let error = try #require(Outcome("keys rotate").error)
        #expect(error.code == .missingOption)
        #expect(error.message == "--owner NAME (or the variable TILL_OWNER) is needed.")
        #expect(error.exitCode.rawValue == 64)
    }
}
