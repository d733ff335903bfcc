/// Every row there is, in the order of the table.
enum BenchmarkRows {
    static let all: [any BenchmarkRow] = cryptography + http + storage + serving + store + content + device

    private static let device: [any BenchmarkRow] =
        [
            QueuePurchaseRow(), LaunchRow(), LaunchMemoryRow(), PurchaseCallRow(), UpdatesLaunchRow(),
        ] + EntitlementsRow.all + [TestSessionRow(), TestSessionMemoryRow(), VaultRow()]

    private static let content: [any BenchmarkRow] = [
        ContentPackRow(), ContentValidateRow(), FeedRow(), FeedMemoryRow(),
    ]

    private static let storage: [any BenchmarkRow] = [StorageRow(), PostgresStorageRow(), WorkRow()]

    private static let store: [any BenchmarkRow] =
        [
            VerifyReceiptRow.unknown, VerifyReceiptRow.known, RenewalsRow(), RenewalBytesRow(),
            PurchaseRow.inLockstep,
            PurchaseRow.oneByOne, SubscriptionRenewalRow(),
            PostgresPurchaseRow(), VerifyReceiptGrowthRow(), PurchaseGrowthRow(), ProductsRow(), CatalogueImportRow(),
        ] + ServerReadingRow.all + [ServerHistoryGrowthRow(), NotificationRow(), DeadReceiversRow()]
        + PageRow.all + [StorefrontPageRow(), SearchRow(), RecordedReceiptsRow(), BackendDownloadMemoryRow()]

    private static let serving: [any BenchmarkRow] = [ServeStartRow(), ServeMemoryRow()]

    private static let http: [any BenchmarkRow] =
        SmallAnswerRow.all + LargeFileRow.all + HostedDownloadRow.all + [HandshakeRow(), IdlePollRow()]

    private static let cryptography: [any BenchmarkRow] = [
        JWSSigningRow(),
        JWSVerificationRow(),
        PayloadEncodingRow(),
        ReceiptVerificationRow(),
        ReceiptVerificationByCMSRow(),
        AppleLibraryRow(),
    ]
}
