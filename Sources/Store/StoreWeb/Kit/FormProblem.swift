import StoreCatalogue
import StoreHTTP
import StoreModel

/// What is wrong with a form, and with which of its fields.
struct FormProblem: Hashable, Sendable {
    /// As the use case calls it, such as `names[0].title`; nil where it is about the whole.
    var field: String?
    /// What is wrong, as a sentence that does not name the field.
    var sentence: String
    /// The same within a sentence, after what the field is called.
    var clause: String
    /// The same for readers who do not see the field.
    var whole: String

    /// - Parameter rule: one sentence without its full stop.
    init(_ field: String?, _ rule: String) {
        self.field = field
        sentence = APIError.sentence(rule)
        clause = Self.clause(rule)
        whole = APIError.sentence(field.map { "\($0): \(rule)" } ?? rule, about: field)
    }

    private init(_ field: String?, message: String) {
        self.field = field
        whole = APIError.sentence(message)
        let prefix = field.map { "\($0): " } ?? ""
        let rule = String(message.trimmingPrefix(prefix))
        (sentence, clause) = (APIError.sentence(rule), Self.clause(rule))
    }

    private static func clause(_ rule: String) -> String {
        String(rule.prefix(1)) + APIError.sentence(rule).dropFirst()
    }

    /// What an error says about the form that was sent; nil where no person can mend it there.
    static func all(of error: any Error) -> [FormProblem]? {
        switch error {
        case let several as FormProblems: several.all
        case let refusal as any Refusal: [FormProblem(refusal.parameter, message: refusal.message)]
        case let value as InvalidValue:
            [FormProblem(value.subject, message: "the \(value.subject) \(value.rule)")]
        case let error as APIError where error.parameter != nil && [.badRequest, .conflict].contains(error.status):
            [FormProblem(error.parameter, message: error.message)]
        default: nil
        }
    }

    /// Which of some inputs it is about, by their names: the one that is called so, or whose name is a part of that.
    func input(among names: [String]) -> String? {
        guard let field else { return nil }
        let parts = field.split { ".[]".contains($0) }.map(Self.plain)
        let (whole, last, first) = (Self.plain(field), parts.last ?? "", parts.first ?? "")
        return [{ $0 == field }, { Self.plain($0) == whole }, { Self.plain($0) == last }, { Self.plain($0) == first }]
            .lazy.compactMap { (isMeant: (String) -> Bool) in names.first(where: isMeant) }.first
    }

    /// A name by its letters and digits, so that `bundle id` is `bundleId`.
    private static func plain(_ name: some StringProtocol) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}

/// Several fields of a form that are wrong, for a section that looks at all of them before it calls a use case.
struct FormProblems: Error {
    var all: [FormProblem] = []

    /// Reads a part of the form; what is wrong with it is kept, and nil is read.
    mutating func read<Value>(_ part: () throws -> Value) throws -> Value? {
        do {
            return try part()
        } catch {
            guard let found = FormProblem.all(of: error) else { throw error }
            all += found
            return nil
        }
    }

    /// Throws all that was wrong.
    func finish() throws(FormProblems) { if !all.isEmpty { throw self } }
}
