import StoreCatalogue
public import StoreKit
import StoreModel
import StoreService

extension SKTestSession {
    /// Whether purchases are made without asking anybody; at first as the configuration has it, else false.
    ///
    /// While dialogs are on, the terminal of the process is asked. Where there is none, as in most tests, it is yes.
    public var disableDialogs: Bool {
        get { values.current.disableDialogs }
        set { values.change { $0.disableDialogs = newValue } }
    }

    /// Whether purchases fail with ``failureError``; at first as the configuration has it, else false.
    ///
    /// The error `Purchase` of newer configurations begins with it, and ``setSimulatedError(_:forAPI:)`` ends it.
    public var failTransactionsEnabled: Bool {
        get { values.current.failTransactionsEnabled }
        set { values.change { $0.failTransactions(newValue) } }
    }

    /// What purchases fail with while ``failTransactionsEnabled``; at first as the configuration has it, else
    /// `unknown`.
    public var failureError: SKError.Code {
        get { values.current.failureError }
        set { values.change { $0.failureError = newValue } }
    }

    /// Whether purchases are interrupted: the app is told that they failed, and they go on after
    /// ``resolveIssueForTransaction(identifier:)``. At first as the configuration has it, else false.
    public var interruptedPurchasesEnabled: Bool {
        get { values.current.interruptedPurchasesEnabled }
        set {
            values.change { $0.interruptedPurchasesEnabled = newValue }
            report { try await $0.store.setInterruptsPurchases(newValue) }
        }
    }

    /// Whether somebody else has to say yes to each purchase: the app is told that it is deferred, until
    /// ``approveAskToBuyTransaction(identifier:)-(UInt)`` or ``declineAskToBuyTransaction(identifier:)-(UInt)``. At first as
    /// the configuration has it, else false.
    public var askToBuyEnabled: Bool {
        get { values.current.askToBuyEnabled }
        set {
            values.change { $0.askToBuyEnabled = newValue }
            report { try await $0.store.setAsksToBuy(newValue) }
        }
    }

    /// Whether subscriptions cannot be paid when they renew, so that the payment is tried again; at first as the configuration
    /// has it, else false.
    ///
    /// ``resolveIssueForTransaction(identifier:)-(UInt)`` has one paid all the same.
    public var shouldEnterBillingRetryOnRenewal: Bool {
        get { values.current.shouldEnterBillingRetryOnRenewal }
        set { values.change { $0.shouldEnterBillingRetryOnRenewal = newValue } }
    }

    /// Whether a subscription counts for a while though it could not be paid, which is 16 days, and 6 of a weekly one; at first
    /// as the configuration has it, else false.
    public var billingGracePeriodIsEnabled: Bool {
        get { values.current.billingGracePeriodIsEnabled }
        set {
            values.change { $0.billingGracePeriodIsEnabled = newValue }
            report { try await $0.store.setHasGracePeriod(newValue) }
        }
    }

    /// Where the customer buys, in three letters; at first as the configuration has it, else `USA`.
    ///
    /// Prices stay the same numbers, in the currency of the storefront; where it has no such numbers, as yen have no cents, they
    /// are US dollars, and products cost what these come to. A storefront that there is not changes nothing.
    public var storefront: String {
        get { values.current.storefront }
        set {
            guard let record = StorefrontRecord.storefront(alpha3: newValue) else {
                return SessionLog.write("There is no storefront \(newValue).")
            }
            values.change { $0.storefront = newValue }
            let bytes = configuration.bytes
            report { scene in
                do {
                    let file = try StoreKitFile(bytes, in: record)
                    try await scene.store.enter(file, at: scene.store.store.clocks.commerce())
                } catch let error as CatalogueError {
                    SessionLog.write("In \(newValue) the prices of the configuration do not do: \(error)")
                }
                try await scene.store.move(to: record)
            }
        }
    }

    /// The language of the device, which decides that of products where the storefront speaks several; at first as the
    /// configuration has it, else American English.
    public var locale: Locale {
        get { values.current.locale }
        set {
            values.change { $0.locale = newValue }
            report { _ in }
        }
    }

    /// Gives every setting the value that the configuration has for it. Transactions stay.
    public func resetToDefaultState() {
        let first = configuration.settings
        disableDialogs = first.disableDialogs
        failTransactionsEnabled = first.failTransactionsEnabled
        failureError = first.failureError
        interruptedPurchasesEnabled = first.interruptedPurchasesEnabled
        askToBuyEnabled = first.askToBuyEnabled
        shouldEnterBillingRetryOnRenewal = first.shouldEnterBillingRetryOnRenewal
        billingGracePeriodIsEnabled = first.billingGracePeriodIsEnabled
        timeRate = first.timeRate
        storefront = first.storefront
        locale = first.locale
        values.change { $0.failAsAtFirst(first) }
    }

    /// Does something whose failure nobody can be told but on standard error.
    func report(_ body: @escaping @Sendable (TestScene) async throws -> Void) {
        do {
            try settle(body)
        } catch {
            SessionLog.write("\(error.localizedDescription)")
        }
    }
}
