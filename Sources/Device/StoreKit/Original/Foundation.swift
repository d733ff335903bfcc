// Programs that import StoreKit alone use what Foundation and the enumerations of the original API declare.
@_exported public import CStoreKit
@_exported public import Foundation
