import CommandOptions
import StoreBackend
import StoreModel

/// `till backend users`
enum BackendUsers {
    static let command = Command<TillProgram.Action>(
        "users", "The users of your own server, and what they have.",
        discussion:
            "Apps make accounts by themselves (POST /v1/users); these commands are for whoever runs the server.",
        examples: [
            Example("Who there is", "till backend users list"),
            Example("What somebody has", "till backend users show lisa"),
        ],
        subcommands: [add, list, show, password, remove])

    private static let name = Argument<String>.required(.text("NAME"), help: "What the user is called.")

    private static let passwordFile = Option<String?>.optional(
        "password-file", .file(), help: "A file whose first line is the password; without it the terminal is asked.")

    private static let after = Option<String?>.optional(
        "after", .text("NAME"), help: "Only those that come after this name.")

    /// How many users are listed at once.
    private static let mostListed = 1000

    private static let add = Command<TillProgram.Action>(
        "add", "Make an account.", options: BackendOptions.place + [passwordFile], arguments: [name],
        examples: [Example("From a script", "till backend users add lisa --password-file password.txt")],
        exitCodes: [
            .badData.when("The name or the password breaks a rule."), .cannotCreate.when("The name is taken."),
            .inputOutput,
        ],
        seeAlso: ["till backend users password"],
        action: { arguments, context in
            let secret = try secret(arguments, context)
            let added = try await BackendFolder.open(arguments, context, beginning: true) { backend in
                let signedIn = try await backend.accounts.signUp(
                    name: arguments[name], password: secret, from: nil, at: context.now)
                // Whoever made the account has no use for a token.
                try await backend.accounts.signOut(token: signedIn.token, at: context.now)
                return signedIn.user
            }
            context.print("Made the account \(PrintableText(arguments[name], limit: 200)), \(added.id).")
        })

    private static let list = Command<TillProgram.Action>(
        "list", "List the users by their names.", options: BackendOptions.place + [after, StandardOptions.json],
        examples: [Example("For a script", "till backend users list --json")],
        exitCodes: [BackendFolder.missing, .inputOutput], seeAlso: ["till backend users show"],
        action: { arguments, context in
            let users = try await BackendFolder.open(arguments, context) {
                try await $0.accounts.list(after: arguments[after] ?? "", atMost: mostListed)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(users) }
            let table = ListTable<BackendUser>(.text("NAME") { $0.name }, .value("ID") { $0.id })
            context.printList(users, as: table, arguments, nothing: "There are no users.")
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show what a user has or had: purchases and balances.",
        options: BackendOptions.place + [StandardOptions.json], arguments: [name],
        examples: [Example("Somebody", "till backend users show lisa")],
        exitCodes: [BackendFolder.missing(or: "no such user"), .inputOutput],
        seeAlso: ["till backend audit"],
        action: { arguments, context in
            let (user, entitlements, balances) = try await BackendFolder.open(arguments, context) {
                backend -> (BackendUser, [Entitlement], [Balance]) in
                let user = try await BackendUsers.user(named: arguments[name], in: backend)
                return (
                    user, try await backend.entitlements(of: user, at: context.now),
                    try await backend.balances(of: user)
                )
            }
            if arguments[StandardOptions.json] {
                return try context.printJSON(UserReport(user, entitlements, balances, at: context.now))
            }
            context.print("\(PrintableText(user.name ?? user.id, limit: 200)), \(user.id)")
            for balance in balances { context.print("\(PrintableText(balance.name, limit: 200)): \(balance.amount)") }
            let table = ListTable<Entitlement>(
                .value("PRODUCT") { $0.transaction.productID.text },
                .value("TRANSACTION") { "\($0.transaction.transactionID)" },
                .value("BOUGHT") { $0.transaction.purchaseDate.rfc3339 }, .value("UNTIL") { $0.expires?.rfc3339 },
                .value("NOW") { EntitlementText.now($0, among: entitlements, at: context.now) })
            context.printList(entitlements.reversed(), as: table, arguments, nothing: "Nothing was bought.")
        })

    private static let password = Command<TillProgram.Action>(
        "password", "Give a user another password; whoever was signed in has to sign in again.",
        options: BackendOptions.place + [passwordFile], arguments: [name],
        examples: [Example("Asked in the terminal", "till backend users password lisa")],
        exitCodes: [BackendFolder.missing(or: "no such user"), .inputOutput],
        seeAlso: ["till backend users add"],
        action: { arguments, context in
            let secret = try secret(arguments, context)
            try await BackendFolder.open(arguments, context) { backend in
                let user = try await BackendUsers.user(named: arguments[name], in: backend)
                try await backend.accounts.changePassword(of: user, to: secret, at: context.now)
            }
            context.print("Changed.")
        })

    private static let remove = Command<TillProgram.Action>(
        "remove", "Remove an account.",
        discussion: """
            What its user bought stays in the records and is nobody's then: it belongs to the next user who brings its \
            receipt, which may be the same person with another account. What it credited is not credited again.
            """,
        options: BackendOptions.place, arguments: [name],
        examples: [Example("Somebody who left", "till backend users remove lisa")],
        exitCodes: [BackendFolder.missing(or: "no such user"), .inputOutput],
        seeAlso: ["till backend users list"],
        action: { arguments, context in
            try await BackendFolder.open(arguments, context) { backend in
                try await backend.accounts.remove(
                    BackendUsers.user(named: arguments[name], in: backend), at: context.now)
            }
            context.print("Removed.")
        })

    static func user(named name: String, in backend: Backend) async throws -> BackendUser {
        guard let user = try await backend.accounts.user(named: name) else {
            throw CommandFailure(.inputMissing, "there is no user \(PrintableText(name, limit: 200))")
        }
        return user
    }

    /// The longest password file.
    private static let secretBytes = 1 << 16

    private static func secret(_ arguments: ParsedArguments, _ context: CommandContext) throws -> String {
        if let path = arguments[passwordFile] {
            let text = String(decoding: try InputFile.read(path, limit: secretBytes), as: UTF8.self)
            return String(text.prefix { !$0.isNewline })
        }
        guard let ask = context.ask else {
            throw CommandFailure(.usage, "there is no terminal to ask for the password; use --password-file")
        }
        return try ask("Password: ")
    }
}

/// What is said to whoever answers customers of something that was bought.
enum EntitlementText {
    /// Whether the user has it now, and else why not.
    ///
    /// - Parameter all: everything that the user has or had.
    static func now(_ one: Entitlement, among all: [Entitlement], at now: Instant) -> String {
        let transaction = one.transaction
        if one.isInForce { return "has it" }
        if let date = transaction.revocationDate { return "taken back \(date.rfc3339)" }
        if transaction.isUpgraded { return "upgraded" }
        if let end = one.expires, end <= now { return "ended" }
        if transaction.purchaseDate > now { return "not begun" }
        let others = all.filter {
            $0.transaction.environment == transaction.environment
                && $0.transaction.originalTransactionID == transaction.originalTransactionID
        }
        if let other = others.first(where: \.isInForce) {
            // A restore makes another transaction of the same period.
            let isSame = other.transaction.expiresDate == transaction.expiresDate
            return "\(isSame ? "the same as" : "replaced by") \(other.transaction.transactionID)"
        }
        if let other = others.first(where: { $0.transaction.revocationDate != nil }) {
            return "taken back with \(other.transaction.transactionID)"
        }
        return "had it"
    }
}

/// What a user has, for programs.
private struct UserReport: Encodable {
    let user: BackendUser
    let entitlements: [UserEntitlement]
    let balances: [Balance]

    init(_ user: BackendUser, _ entitlements: [Entitlement], _ balances: [Balance], at now: Instant) {
        self.user = user
        self.entitlements = entitlements.map(UserEntitlement.init)
        self.balances = balances
    }
}
