package import StoreModel

/// Asks the person at the device.
///
/// Every question can be cancelled: the task that asks is cancelled when the answer came from elsewhere, and the prompt
/// then returns soon, whatever it returns.
package protocol PurchasePrompt: Sendable {
    /// Whether a question appears before a person. It must then follow from what that person has just done.
    var asksPerson: Bool { get }
    func ask(_ question: PromptQuestion) async -> PromptReply
    /// Tells something that wants no answer.
    func tell(_ notice: PromptNotice) async
}

/// What the person is asked.
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

    /// Nothing where only somebody's signing in is wanted.
    package var purchase: Purchase?
    /// Whether somebody has to sign in.
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

/// What the person answered.
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

/// What the person is told.
package struct PromptNotice: Hashable, Sendable {
    package var text: String
    /// Where the person has to go.
    package var address: String?

    package init(_ text: String, address: String? = nil) {
        self.text = text
        self.address = address
    }
}
