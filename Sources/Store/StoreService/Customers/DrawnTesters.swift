import StoreCatalogue
import StoreModel
import StoreSigning

/// Testers of whom only the address is said: all else that an account has is drawn, told once, and fixed from then on.
extension Accounts {
    /// A tester that was just made.
    package struct NewTester: Sendable {
        package let account: Account
        /// What was drawn; nil where somebody has said it. Only hashes of them are kept.
        package let password: String?
        package let secretAnswer: String?
    }

    /// Makes a tester, and draws what is missing.
    package func createTester(_ draft: Draft, _ cause: ChangeCause) async throws -> NewTester {
        try store.requireSandbox("only testers are drawn; a customer of production says who it is")
        let drawn = DrawnTester(store.random)
        var draft = draft
        let password = try draft.password == nil ? drawn.word(Self.passwordLetters) : nil
        draft.password = draft.password ?? password
        if draft.firstName == nil, draft.lastName == nil {
            (draft.firstName, draft.lastName) = (try drawn.one(of: Self.firstNames), try drawn.one(of: Self.lastNames))
        }
        if draft.birthDate == nil { draft.birthDate = try drawn.birthDate() }
        var answer: String?
        if draft.secretQuestion == nil, draft.secretAnswer == nil {
            answer = try drawn.word(Self.answerLetters)
            (draft.secretQuestion, draft.secretAnswer) = (Self.question, answer)
        }
        return NewTester(account: try await create(draft, cause), password: password, secretAnswer: answer)
    }

    private static let (passwordLetters, answerLetters) = (16, 8)
    private static let question = "What was your first computer called?"
    private static let firstNames = [
        "Ada", "Alan", "Barbara", "Donald", "Edsger", "Frances", "Grace", "John", "Kay", "Niklaus",
    ]
    private static let lastNames = [
        "Apfel", "Birne", "Cereza", "Dattel", "Feige", "Mango", "Olive", "Pera", "Quitte", "Sorb",
    ]
}

/// Draws what a tester lacks.
private struct DrawnTester {
    private let random: RandomBytes
    /// Without letters that look like others.
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    /// Grown up, so that nobody asks for the yes of a parent.
    private static let (firstYear, years) = (1960, 40)

    init(_ random: RandomBytes) {
        self.random = random
    }

    func one(of values: [String]) throws -> String { values[Int(try random(1)[0]) % values.count] }

    func word(_ count: Int) throws -> String {
        String(try random(count).map { Self.letters[Int($0) % Self.letters.count] })
    }

    func birthDate() throws -> String {
        let drawn = try random(3).map(Int.init)
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        // Every month has 28 days.
        return "\(Self.firstYear + drawn[0] % Self.years)-\(two(1 + drawn[1] % 12))-\(two(1 + drawn[2] % 28))"
    }
}
