import Foundation
import TestSupport
import Testing

/// The one C file of StoreKit, in programs built in every way.
///
/// Each program has a getter of its own, so that nothing but the file itself is under test.
@Suite("The place of the receipt in Foundation's Bundle", .serialized)
struct BundleReceiptTests {
    /// The options of the compiler that matter: how much it rearranges, and where Foundation is.
    static let builds: [[String]] = [["-Onone"], ["-O"], ["-Onone", "-static-stdlib"], ["-O", "-static-stdlib"]]

    @Test("X1: a program's receipt is found however it is built", arguments: builds)
    func everyBuild(options: [String]) async throws {
        let output = try await onOwnThread { try run(options: options, place: "BundleReceipt.c") { $0 } }
        #expect(output == "/here/receipt nil")
    }

    @Test("X1: where Foundation has no such place, everything stays as it was")
    func noPlace() throws {
        let output = try run(options: ["-Onone"], place: "BundleReceipt.c") { source in
            let getter = "$s10Foundation6BundleC18appStoreReceiptURL0A10Essentials0F0VSgvg"
            #expect(source.contains(getter))
            return source.replacingOccurrences(of: getter, with: "$s10Foundation6BundleCMn")
        }
        #expect(output == "nil nil")
    }

    private static let program = """
        import Foundation
        extension Bundle {
            @_silgen_name("storekit_receipt_getter")
            public func answerForReceipt() -> URL? {
                self === Bundle.main ? URL(fileURLWithPath: "/here/receipt") : nil
            }
        }
        func text(_ bundle: Bundle?) -> String { bundle?.appStoreReceiptURL?.path ?? "nil" }
        print(text(.main), text(Bundle(path: "/")))
        """

    /// Builds the program with the C file, changed if need be, and returns what it prints.
    private func run(options: [String], place name: String, change: (String) -> String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let source = try String(contentsOf: root.appending(path: "Sources/System/CStoreKit/\(name)"), encoding: .utf8)
        let folder = FileManager.default.temporaryDirectory.appending(path: "receipt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try change(source).write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        try Self.program.write(to: folder.appending(path: "main.swift"), atomically: true, encoding: .utf8)
        _ = try execute(["clang", "-fPIC", "-Wall", "-Werror", "-c", name, "-o", "receipt.o"], in: folder)
        _ = try execute(["swiftc", "main.swift", "receipt.o", "-o", "program"] + options, in: folder)
        return try execute([folder.appending(path: "program").path], in: folder)
    }

    private func execute(_ command: [String], in folder: URL) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = folder
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(command.joined(separator: " "))")
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
