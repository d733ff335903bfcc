/// The store layer of the game: what talks to StoreKit, keeps what was bought in the wallet, and says what happened.
///
/// There are two of the same, ``OriginalShop`` by StoreKit 1 and ``ModernShop`` by StoreKit 2. They have one wallet, and what one has
/// delivered the other does not deliver again.
@MainActor
protocol Shop: AnyObject {
    var wallet: Wallet { get }
    var products: [Goods: Ware] { get }
    /// Whether the person is in the middle of something; StoreKit may be asking questions then.
    var isBusy: Bool { get }
    var canMakePayments: Bool { get }

    /// Begins to listen to StoreKit, from the start of the app on.
    ///
    /// - Parameter tell: is told what happens.
    func open(_ tell: @escaping @MainActor (News) -> Void)
    func askForPrices()
    /// Buys something that ``products`` has.
    func buy(_ goods: Goods, quantity: Int)
    func restore()
}

/// Something as the store sells it here.
struct Ware {
    let title: String
    let description: String
    /// The price with its currency.
    let price: String
}

/// A purchase, as the person thinks of it.
struct Sale {
    let product: String
    let quantity: Int
}

/// What the person is told.
// Closed: only this app switches over them.
enum News {
    case pricesFetched
    case pricesFailed(any Error)
    /// Something was chosen outside the app; StoreKit may ask the person something from here on.
    case begun
    case purchasing(Sale)
    case deferred(Sale)
    case delivered(Sale, Delivery)
    case cancelled(Sale)
    case failed(Sale, any Error)
    case takenBack(Goods)
    /// A subscription is over.
    case ended(Goods)
    case restored
    case restoreCancelled
    case restoreFailed(any Error)
}
