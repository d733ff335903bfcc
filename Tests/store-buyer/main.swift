import Foundation

do {
    try StoreBuyer.start(Array(CommandLine.arguments.dropFirst()))
} catch {
    FileHandle.standardError.write(Data("store-buyer: \(error)\n".utf8))
    exit(1)
}
dispatchMain()
