import CommandOptions
import StoreModel

/// `till device promote`: begins a purchase outside the app, as a page of a store does.
enum PromoteCommand {
    private static let app = Option<BundleID>.required(
        "app", CatalogueOptions.bundleFormat, help: "The bundle id of the app.")

    static let command = Command<TillProgram.Action>(
        "promote", "Begin a purchase outside the app, as a page of a store does.",
        discussion: """
            The app is asked whether it goes on with the purchase: at once if it runs on this device, else at its next start. \
            It waits until an observer of the app has paymentQueue(_:shouldAddStorePayment:for:). Whether the store sells the \
            product is found out then; if not, the app's standard error says why.
            """,
        options: [app, StandardOptions.json], arguments: [CatalogueOptions.product],
        examples: [
            Example(
                "Five credits for the monkey",
                "till device promote com.example.monkeycredits.credits5 --app com.example.monkeycredits")
        ],
        exitCodes: [
            .failure.when("\(PromotionFolder.longest) purchases wait for the app already."),
            .configuration.when("The folder of the app cannot be written."),
        ],
        action: { arguments, context in
            let (bundle, product) = (arguments[app], arguments[CatalogueOptions.product])
            let folder = PromotionFolder(of: bundle, in: DeviceCommand.folders(context))
            do throws(PromotionError) {
                try folder.add(PromotedPurchase(product), at: context.now)
            } catch {
                throw CommandFailure(error.code == .full ? .failure : .configuration, error.description)
            }
            let answer = Answer(bundleId: bundle, productId: product, waiting: folder.files.count)
            if arguments[StandardOptions.json] { return try context.printJSON(answer) }
            context.print("\(bundle) is asked whether to sell \(product).")
        })

    /// For programs.
    private struct Answer: Encodable {
        let bundleId: BundleID
        let productId: ProductID
        /// How many purchases wait for the app now.
        let waiting: Int
    }
}
