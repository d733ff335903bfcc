import StoreFoundation
package import StoreModel

/// Asks the customer at the device.
///
/// Every question can be cancelled: the task that asks is cancelled when the answer came from elsewhere, and the prompt
/// then returns soon, whatever it returns.
package protocol PurchasePrompt: Sendable {
    /// Whether a question appears before a person. It must then follow from what the person has just done.
    var asksPerson: Bool { get }
    func ask(_ question: PromptQuestion) async -> PromptReply
    /// Tells something that wants no answer.
    func tell(_ notice: PromptNotice) async
    /// Asks for a code to redeem; nil where nobody can be asked, or says no.
    func askCode(_ question: CodeQuestion) async -> String?
    /// Asks whether the customer agrees to a higher price.
    func askPrice(_ question: PriceQuestion) async -> PriceReply
    /// Tells of a page of the store, and returns when the person has seen enough as far as the prompt knows.
    func showPage(_ question: PageQuestion) async -> PageReply
    /// Why the customer wants money back; nil if nobody says so.
    func askRefund(_ question: RefundQuestion) async -> RefundRequestReason?
}

extension PurchasePrompt {
    package func askCode(_ question: CodeQuestion) async -> String? { nil }
    package func askPrice(_ question: PriceQuestion) async -> PriceReply { .unanswered }
    package func askRefund(_ question: RefundQuestion) async -> RefundRequestReason? { nil }
    package func showPage(_ question: PageQuestion) async -> PageReply { .closed }
}

/// The question for a code.
package struct CodeQuestion: Hashable, Sendable {
    /// What was wrong with the last one.
    package var problem: String?
    /// The address of the page on which a code is redeemed without the app.
    package var page: String?
    /// The language of the texts that the question is asked in.
    package var language: String

    package init(problem: String? = nil, page: String? = nil, language: String = "en") {
        self.problem = problem
        self.page = page
        self.language = language
    }
}

/// What the customer is asked.
package struct PromptQuestion: Hashable, Sendable {
    /// What it is about.
    package struct Purchase: Hashable, Sendable {
        /// The title of the product, or its id.
        package var title: String
        package var quantity: Int
        package var unitPrice: String
        package var total: String
        /// What is typed elsewhere to say yes.
        package var code: String?
        /// The address of the page on which it is answered; nil if the store has none.
        package var page: String?
        /// Whether the device itself may say yes without a password.
        package var acceptsYes: Bool
        /// Whether the customer owns it already, and gets it again for free.
        package var isOwned: Bool
        /// What a subscription comes to afterwards; nil of all else.
        package var terms: String?

        package init(
            title: String, quantity: Int, unitPrice: String, total: String, code: String?, page: String? = nil,
            acceptsYes: Bool, isOwned: Bool = false, terms: String? = nil
        ) {
            self.title = title
            self.quantity = quantity
            self.unitPrice = unitPrice
            self.total = total
            self.code = code
            self.page = page
            self.acceptsYes = acceptsYes
            self.isOwned = isOwned
            self.terms = terms
        }
    }

    /// Nil where only a sign-in is wanted.
    package var purchase: Purchase?
    /// Whether the customer has to sign in.
    package var needsSignIn: Bool
    /// What was wrong with the last answer.
    package var problem: String?
    package var environment: StoreEnvironment
    package var store: StoreAddress
    /// The language of the texts that the question is asked in.
    package var language: String

    package init(
        purchase: Purchase?, needsSignIn: Bool, problem: String? = nil, environment: StoreEnvironment,
        store: StoreAddress, language: String = "en"
    ) {
        self.purchase = purchase
        self.needsSignIn = needsSignIn
        self.problem = problem
        self.environment = environment
        self.store = store
        self.language = language
    }

    var texts: Texts { Texts.best(for: [language]) }

    /// The command that says yes elsewhere; the one of production has to name it.
    var approval: String? {
        purchase?.code.map { "till approve \($0)" + (environment == .sandbox ? "" : " --environment \(environment)") }
    }
}

/// What the customer answered.
// Closed: the session has to know what to do with each.
package enum PromptReply: Hashable, Sendable {
    case yes
    case password(String)
    case signIn(email: String, password: String)
    case passwordForgotten(email: String)
    /// The answer will be given elsewhere.
    case elsewhere
    case cancelled
    /// Nobody can answer; why.
    case impossible(SessionFailure)
}

/// What the customer is told.
package struct PromptNotice: Hashable, Sendable {
    package var text: String
    /// Where the person has to go.
    package var address: String?

    package init(_ text: String, address: String? = nil) {
        self.text = text
        self.address = address
    }
}

/// Answers every question by itself: for the sandbox and for tests. Production takes no such answer.
package struct AutomaticPrompt: PurchasePrompt {
    private let account: (email: String, password: String)?

    /// - Parameter account: the account that signs in where that is asked for; without one such questions are cancelled.
    package init(account: (email: String, password: String)? = nil) {
        self.account = account
    }

    package var asksPerson: Bool { false }

    package func ask(_ question: PromptQuestion) async -> PromptReply {
        guard question.environment == .sandbox else {
            let command = question.approval.map { ": \($0)" } ?? "."
            return .impossible(
                .unasked("answers only in the sandbox; in production the yes is given elsewhere\(command)"))
        }
        // What was refused once is refused again.
        if let problem = question.problem {
            return .impossible(.unasked("had its answer for \(account?.email ?? "nobody") refused: \(problem)"))
        }
        if question.purchase?.acceptsYes == true, !question.needsSignIn { return .yes }
        guard let account else {
            return .impossible(.unasked("needs STOREKIT_ACCOUNT and STOREKIT_PASSWORD to sign a tester in."))
        }
        return question.needsSignIn
            ? .signIn(email: account.email, password: account.password) : .password(account.password)
    }

    package func tell(_ notice: PromptNotice) async {}

    package func askPrice(_ question: PriceQuestion) async -> PriceReply {
        question.environment == .sandbox ? .agreed : .unanswered
    }

    package func askRefund(_ question: RefundQuestion) async -> RefundRequestReason? {
        question.environment == .sandbox ? .other : nil
    }
}

extension SessionFailure {
    /// The prompt that asks nobody has no answer that would do.
    fileprivate static func unasked(_ text: String) -> SessionFailure {
        SessionFailure(code: 2, reason: "prompt_automatic", text: "STOREKIT_PROMPT=automatic \(text)")
    }

    /// There is nobody to ask.
    fileprivate static let nobody = SessionFailure(
        code: 2, reason: "prompt_silent",
        text:
            "Nobody can be asked to sign in, because there is no terminal. STOREKIT_PROMPT=automatic signs in the tester "
            + "of STOREKIT_ACCOUNT and STOREKIT_PASSWORD.")
}

/// Where there is no person to ask: says with one line where a purchase can be approved, and waits for that.
package struct SilentPrompt: PurchasePrompt {
    private let report: @Sendable (String) -> Void

    package init(report: @escaping @Sendable (String) -> Void) {
        self.report = report
    }

    package var asksPerson: Bool { false }

    package func ask(_ question: PromptQuestion) async -> PromptReply {
        guard let purchase = question.purchase, let approval = question.approval else {
            return .impossible(.nobody)
        }
        let arguments: [String: TextArgument] = [
            "title": .text(purchase.title), "price": .text(purchase.total), "command": .text(approval),
        ]
        report(question.texts("prompt.elsewhere", arguments))
        if let page = purchase.page { report(question.texts("prompt.page", ["address": .text(page)])) }
        return .elsewhere
    }

    package func askCode(_ question: CodeQuestion) async -> String? {
        report("There is no terminal to type a code at: \(question.page ?? "till codes redeem")")
        return nil
    }

    package func askPrice(_ question: PriceQuestion) async -> PriceReply {
        for line in question.lines { report(line) }
        return .unanswered
    }

    package func tell(_ notice: PromptNotice) async {
        report("\(notice.text)" + (notice.address.map { " " + $0 } ?? ""))
    }
}
