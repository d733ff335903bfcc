// The names of its globals are those of Apple's platforms.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The number of an app or item in the store; a number.
public let SKStoreProductParameterITunesItemIdentifier: String = "id"

/// The identifier of a product within the app; a string.
public let SKStoreProductParameterProductIdentifier: String = "productIdentifier"

/// The page of the app that is to be shown; a string with a UUID.
public let SKStoreProductParameterCustomProductPageIdentifier: String = "customProductPageIdentifier"

/// Who sent the person here; a string.
public let SKStoreProductParameterAffiliateToken: String = "at"

/// The campaign that the visit belongs to; a string of at most 40 characters.
public let SKStoreProductParameterCampaignToken: String = "ct"

/// The developer whom the campaign belongs to; a string.
public let SKStoreProductParameterProviderToken: String = "pt"

/// The partner who advertised; a string.
public let SKStoreProductParameterAdvertisingPartnerToken: String = "advp"

/// The signature of an advertisement; a string.
public let SKStoreProductParameterAdNetworkAttributionSignature: String = "adNetworkAttributionSignature"

/// The campaign of an advertisement; a number.
public let SKStoreProductParameterAdNetworkCampaignIdentifier: String = "adNetworkCampaignIdentifier"

/// The network of an advertisement; a string.
public let SKStoreProductParameterAdNetworkIdentifier: String = "adNetworkIdentifier"

/// The random value of an advertisement; a UUID.
public let SKStoreProductParameterAdNetworkNonce: String = "adNetworkNonce"

/// When an advertisement was shown; a number.
public let SKStoreProductParameterAdNetworkTimestamp: String = "adNetworkTimestamp"

/// The app that showed an advertisement; a number.
public let SKStoreProductParameterAdNetworkSourceAppStoreIdentifier: String = "adNetworkSourceAppStoreIdentifier"

/// The version of the network of an advertisement; a string.
public let SKStoreProductParameterAdNetworkVersion: String = "adNetworkVersion"

/// The part of a campaign that an advertisement belongs to; a number.
public let SKStoreProductParameterAdNetworkSourceIdentifier: String = "adNetworkSourceIdentifier"
