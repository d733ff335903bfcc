import CommandOptions
import Testing

@Suite("Values from the environment")
struct EnvironmentTests {
    @Test("A variable outweighs the default, the command line the variable")
    func order() throws {
        let environment = ["TILL_DATA": "/from/variable", "TILL_PEM": "1"]
        let fromVariable = try #require(Outcome("keys init", environment: environment).arguments)
        #expect(fromVariable[SampleOptions.data] == "/from/variable")
        #expect(fromVariable[SampleOptions.pem])
        #expect(fromVariable.source(of: SampleOptions.data) == .environment)
        let fromLine = try #require(Outcome("keys init --data x --pem=false", environment: environment).arguments)
        #expect(fromLine[SampleOptions.data] == "x")
        #expect(!fromLine[SampleOptions.pem])
    }

    @Test("A variable satisfies what is required")
    func required() throws {
        let arguments = try #require(Outcome("keys rotate", environment: ["TILL_OWNER": "Ann"]).arguments)
        #expect(arguments[SampleOptions.owner] == "Ann")
    }

    @Test("An empty variable counts as none")
    func empty() throws {
        let arguments = try #require(Outcome("keys init", environment: ["TILL_DATA": ""]).arguments)
        #expect(arguments[SampleOptions.data] == "./till_data")
        #expect(Outcome("keys rotate", environment: ["TILL_OWNER": ""]).error?.code == .missingOption)
    }

    @Test("A bad variable is blamed by its own name")
    func badVariable() throws {
        let error = try #require(Outcome("keys rotate --owner=a", environment: ["TILL_DAYS": "many"]).error)
        #expect(
            error.message
                == "TILL_DAYS (for --days) cannot be \"many\": expected a whole number from 1 to 3650.")
        #expect(Outcome("keys init", environment: ["TILL_DER": "maybe"]).error?.code == .invalidValue)
    }

    @Test("A bad variable does no harm where the command line says it")
    func outweighedBadVariable() throws {
        let environment = ["TILL_DER": "maybe"]
        #expect(Outcome("keys init --der", environment: environment).arguments?[SampleOptions.der] == true)
        #expect(Outcome("import a", environment: environment).invocation?.action == "import")
    }

    @Test("An option on the command line outweighs a variable of one it excludes")
    func exclusion() throws {
        let arguments = try #require(Outcome("open --der", environment: ["TILL_PEM": "1"]).arguments)
        #expect(arguments[SampleOptions.der] && !arguments[SampleOptions.pem])
        let both = Outcome("open", environment: ["TILL_PEM": "1", "TILL_DER": "1"])
        #expect(both.error?.code == .conflict)
    }

    @Test("Only declared variables are looked at")
    func undeclared() throws {
        let arguments = try #require(Outcome("keys init", environment: ["TILL_VERBOSE": "1"]).arguments)
        #expect(!arguments[SampleOptions.verbose])
    }
}
