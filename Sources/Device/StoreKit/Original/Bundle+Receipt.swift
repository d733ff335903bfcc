extension Bundle {
    /// Where the receipt of the app lies; the file need not be there yet.
    ///
    /// This is what `appStoreReceiptURL` answers too, as long as Foundation lets StoreKit answer for it. Only the main
    /// bundle has a receipt. Not known on Apple's platforms.
    public var storeReceiptURL: URL? {
        self === Bundle.main ? CurrentSession.session.receiptURL : nil
    }

    /// What BundleReceipt.c puts in the place of Foundation's getter: a method is called the way a getter is.
    @_silgen_name("storekit_receipt_getter")
    @usableFromInline func answerForReceipt() -> URL? { storeReceiptURL }
}
