/// Cases of the rules about files and folders.
enum TreeRuleCases {
    static let list = targets + lengths + files

    private static let targets = [
        RuleCase(
            KnownTargets(),
            """
            let package = Package(
                name: "till",
                products: [.library(name: "Ours", targets: ["Ours"])],
                targets: [
                    library("StoreModel", in: "Shared"),
                    library("StoreGuess", in: "Shared", uses: ["StoreModel"]),
                    .systemLibrary(
                        name: "CGuess", path: "Sources/System/CGuess", pkgConfig: "libguess",
                        providers: [.apt(["libguess-dev"])]),
                    tests(of: "StoreModel"),
                    tests(of: "StoreGuess", uses: ["StoreModel"]),
                    .executableTarget(
                        name: "guess", dependencies: ["StoreModel"],
                        path: "Sources/Store/guess"),
                ],
                swiftLanguageModes: [.v6]
            )

            """, breaksAt: 6, 8, 11, 13, path: "Package.swift"),
        RuleCase(KnownTargets(), "let a = 1\n", breaksAt: 1, path: "Sources/Store/Guess/A.swift"),
        RuleCase(KnownTargets(), "let a = 1\n", breaksAt: 1, path: "Elsewhere/A.swift"),
        RuleCase(KnownTargets(), "let a = 1\n", path: "Sources/Store/StoreRules/Deep/A.swift"),
        RuleCase(KnownTargets(), "let a = 1\n", path: "Tests/Conformance/till-conformance/A.swift"),
    ]

    private static let lengths = [
        RuleCase(FileLength(limit: 3), "1\n2\n3\n4\n", breaksAt: 4),
        RuleCase(FileLength(limit: 3), "1\n2\n3\n"),
        RuleCase(FileLength(limit: 3), "1\n2\n3\n4\n", path: "Documentation/A.md"),
        RuleCase(LargeFiles(limit: 3), "four", breaksAt: 1),
        RuleCase(LargeFiles(limit: 4), "four"),
    ]

    private static let files = [
        RuleCase(
            RequiredFiles(paths: ["README.md", "LICENSE", ".ci/run"]), ["LICENSE": "x\n", "Makefile": "a:\n"],
            breaksAt: [".ci/run:1", "README.md:1"]),
        RuleCase(RequiredFiles(paths: ["LICENSE"]), ["LICENSE": "x\n"], breaksAt: []),
    ]
}
