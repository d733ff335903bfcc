import Foundation

do {
    try await StorageWriter.run(Array(CommandLine.arguments.dropFirst()))
} catch {
    FileHandle.standardError.write(Data("storage-writer: \(error)\n".utf8))
    exit(1)
}
