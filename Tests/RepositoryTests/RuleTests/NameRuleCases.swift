/// Cases of the rules about names.
enum NameRuleCases {
    static let list = words + modules + storeKit

    private static let words = [
        RuleCase(NameWords(), "struct KeyManager {}\nclass PriceHelper {}\nenum StringUtils {}\n", breaksAt: 1, 2, 3),
        RuleCase(NameWords(), "struct A {\n    protocol RequestHandler2 {}\n}\n", breaksAt: 2),
        RuleCase(NameWords(), "struct A {}\n", breaksAt: 1, path: "Sources/Shared/StoreModel/Date+Helpers.swift"),
        RuleCase(NameWords(), "struct RequestHandler {}\nstruct Managed {}\nstruct SHA256 {}\nclass func manager()\n"),
    ]

    private static let modules = [
        RuleCase(ModuleNames(), "struct StoreSigning {}\n", breaksAt: 1),
        RuleCase(ModuleNames(), "enum A {\n    typealias StoreHTTP = Int\n}\n", breaksAt: 2),
        RuleCase(ModuleNames(), "struct StoreSigner {}\nimport struct StoreModel.Instant\n"),
        RuleCase(ModuleNames(), "struct StoreModelTests {}\n", path: "Tests/StoreModelTests/A.swift"),
    ]

    private static let storeKit = [
        RuleCase(
            StoreKitNames(),
            "public struct Product {}\npublic final class Transaction {}\npublic typealias Message = Int\n",
            breaksAt: 1, 2, 3, path: "Sources/Shared/StoreModel/A.swift"),
        RuleCase(
            StoreKitNames(), "public struct A {\n    public enum Product {}\n}\nstruct Message {}\n",
            path: "Sources/Shared/StoreModel/A.swift"),
        RuleCase(StoreKitNames(), "public struct Product {}\n", path: "Sources/Device/StoreKit/A.swift"),
    ]
}
