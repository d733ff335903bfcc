import CommandOptions
import StoreModel
import StoreRules
import StoreServer

extension ReviewCommand {
    /// `till review check`
    static let checking = Command<TillProgram.Action>(
        "check", "Say what a product lacks before it can be submitted.", options: [StandardOptions.json],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
        examples: [Example("One", "till review check com.example.app com.example.app.credits5")],
        exitCodes: [
            CatalogueOptions.missing, CatalogueOptions.unavailable,
            .failure.when("Something is missing; shown with --json that is no failure."),
        ],
        action: { arguments, context in
            let (bundle, product) = (arguments[CatalogueOptions.bundle], arguments[CatalogueOptions.product])
            let answer = try await AdminConnection.withStore(arguments, context) { store in
                try await store.ask(
                    "GET", "\(CatalogueOptions.path(bundle))/products/\(product)/readiness", as: ReadinessAnswer.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(answer) }
            for line in lines(answer, of: product, in: bundle) { context.print(line) }
            let missing = answer.entries.count { !$0.isDone && !$0.isOptional }
            guard missing == 0 else { throw CommandFailure(.failure, "\(missing) of what it needs is missing") }
        })

    static func lines(_ answer: ReadinessAnswer, of product: ProductID, in bundle: BundleID) -> [String] {
        let entries = answer.entries.map { entry in
            let mark = entry.isDone ? "done" : entry.isOptional ? "may follow" : "missing"
            return "  \(mark): \(entry.sentence)"
        }
        let needsVersion = answer.entries.contains { $0.need == "version" }
        let with = needsVersion ? answer.openVersion.map { " --with \($0)" } ?? "" : ""
        let lacksVersion = answer.entries.contains { $0.need == "version" && !$0.isDone }
        let next =
            lacksVersion
            ? ["  to enter a version: till versions add \(bundle) VERSION"]
            : answer.canBeSubmitted
                ? ["  next: till review submit \(bundle) \(product)\(with) --category content --delivers TEXT"]
                : []
        // The sandbox sells what is complete; that is not yet ready for a review.
        let isReady = answer.canBeSubmitted || answer.state != ProductState.readyToSubmit.rawValue
        let state = isReady ? answer.state.replacing("_", with: " ") : "complete for the sandbox, and not for a review"
        return ["\(product) is \(state)"] + entries + next
    }
}
