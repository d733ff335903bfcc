/// Every rule of the house that a program can check.
enum AllRules {
    static let list: [any RepositoryRule] = [
        ImportArrows(), KnownTargets(), ClockReads(), NameWords(), ModuleNames(), StoreKitNames(), PublicExtensions(),
        ProvenTraps(), PublicEnums(), FileLength(), OpenTasks(), DisabledCode(), Whitespace(), MarkdownLinks(),
        WorkplaceWords(), LargeFiles(), AssertingTests(), OneTestFramework(), RequiredFiles(),
    ]
}
