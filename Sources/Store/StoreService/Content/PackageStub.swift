import StoreModel
struct ContentManifest: Sendable { var version: ContentVersion; var byteCount: Int64; var chunkLength: Int; var chunkDigests: [UInt8]; var files: [(path: String, bytes: Int64)]; var unpackedBytes: Int64 }
struct StubRule: Sendable { var id: String }
struct StubFinding: Sendable { var path: String?; var rule: StubRule; var message: String }
struct StubReport: Sendable { var findings: [StubFinding] }
struct ContentExpectation: Sendable { var productID: String; var above: ContentVersion? }
enum ContentValidation { static func validate(packageAt path: String, expecting: ContentExpectation) -> StubReport { StubReport(findings: []) } }
enum DeliveredArchive { static func write(packageAt path: String, to: ([UInt8]) throws -> Void) throws -> ContentManifest { fatalError() } }
