import CommandOptions

/// `till backend`
enum BackendCommand {
    static let command = Command<TillProgram.Action>(
        "backend", "Your own server: it verifies purchases, and sends what was paid for.",
        discussion: """
            Apps ask it for the products that they may offer, and send it the proof of a payment with the request for what was \
            bought. It asks the store, or looks at the signature, keeps what each user has, and sends the content. It works \
            with this store and with the App Store.

            Products, content and users are managed by these commands while the server runs.
            """,
        examples: [
            Example(
                "Serve an app that buys in the store of till dev",
                "till backend serve --bundle com.example.magazines --store http://127.0.0.1:8080 "
                    + "--store-sandbox http://127.0.0.1:8081 --root root.der --sandbox-root sandbox-root.der"),
            Example("What that app may offer", "till backend products publish products.json"),
            Example("The SQL of a server in any language", "till backend sql --dialect postgres"),
        ],
        subcommands: [
            BackendServe.command, BackendProducts.command, BackendContent.command, BackendUsers.command,
            BackendAudit.command, BackendVerify.command, BackendSQL.command,
        ])
}
