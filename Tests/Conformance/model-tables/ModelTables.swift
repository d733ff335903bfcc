import Foundation
import StoreModel

/// Prints the tables of StoreModel as one JSON object, so that tests in other languages can compare them with their
/// own.
@main
struct ModelTables: Encodable {
    var currencies = Currency.all.map(CurrencyRow.init)
    var storefronts = StorefrontRecord.all.map(StorefrontRow.init)

    static func main() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(ModelTables()))
    }
}
