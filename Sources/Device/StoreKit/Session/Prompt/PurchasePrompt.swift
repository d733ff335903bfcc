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
        /// Whether the device itself may say yes without a password.
        package var acceptsYes: Bool

        package init(
            title: String, quantity: Int, unitPrice: String, total: String, code: String?, acceptsYes: Bool
        ) {
            self.title = title
            self.quantity = quantity
            self.unitPrice = unitPrice
            self.total = total
            self.code = code
            self.acceptsYes = acceptsYes
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

    package init(
        purchase: Purchase?, needsSignIn: Bool, problem: String? = nil, environment: StoreEnvironment,
        store: StoreAddress
    ) {
        self.purchase = purchase
        self.needsSignIn = needsSignIn
        self.problem = problem
        self.environment = environment
        self.store = store
    }

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
        // What was refused once is refused again.
        guard question.problem == nil, question.environment == .sandbox else { return .cancelled }
        if question.needsSignIn {
            guard let account else { return .cancelled }
            return .signIn(email: account.email, password: account.password)
        }
        guard let purchase = question.purchase else { return .cancelled }
        if purchase.acceptsYes { return .yes }
        return account.map { .password($0.password) } ?? .cancelled
    }

    package func tell(_ notice: PromptNotice) async {}
}

/// Where there is no person to ask: says with one line where a purchase can be approved, and waits for that.
package struct SilentPrompt: PurchasePrompt {
    private let report: @Sendable (String) -> Void

    package init(report: @escaping @Sendable (String) -> Void) {
        self.report = report
    }

    package var asksPerson: Bool { false }

    package func ask(_ question: PromptQuestion) async -> PromptReply {
        guard let purchase = question.purchase, let approval = question.approval else { return .cancelled }
        report("\(purchase.title), \(purchase.total), waits for a yes: \(approval)")
        return .elsewhere
    }

    package func tell(_ notice: PromptNotice) async {
        report("\(notice.text)" + (notice.address.map { " " + $0 } ?? ""))
    }
}
