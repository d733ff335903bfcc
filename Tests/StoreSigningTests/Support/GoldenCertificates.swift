/// Certificates made by the `openssl` command, version 3.0.
enum GoldenCertificates {
    /// Self-signed with the P-256 key of ``GoldenKeys`` for one second across the border of UTCTime and GeneralizedTime:
    /// `openssl ca -selfsign -startdate 491231235959Z -enddate 20500101000000Z -preserveDN`, after
    /// `openssl req -new -utf8 -subj '/CN=Kaufladen Grün 🛒/O=Ä, B \+ C'`; serial number 00c0ffee00c0ffee; a critical
    /// CA:TRUE, key usage and key identifier; the marker 1.2.840.113635.100.6.2.1 as `DER:0500`.
    static let oneSecond = """
        -----BEGIN CERTIFICATE-----
        MIIBsTCCAVigAwIBAgIIAMD/7gDA/+4wCgYIKoZIzj0EAwIwMzEdMBsGA1UEAwwU
        S2F1ZmxhZGVuIEdyw7xuIPCfm5IxEjAQBgNVBAoMCcOELCBCICsgQzAgFw00OTEy
        MzEyMzU5NTlaGA8yMDUwMDEwMTAwMDAwMFowMzEdMBsGA1UEAwwUS2F1ZmxhZGVu
        IEdyw7xuIPCfm5IxEjAQBgNVBAoMCcOELCBCICsgQzBZMBMGByqGSM49AgEGCCqG
        SM49AwEHA0IABNNqZEi6j57brKpu4yYGyBNsZe2/x11/u40qBJ4vDmmcmctISv7S
        orvFaoFIe/1UsA2yE08CSRQZV3YS1MYOPPijVDBSMA8GA1UdEwEB/wQFMAMBAf8w
        DgYDVR0PAQH/BAQDAgEGMB0GA1UdDgQWBBQzmLg7j2Eo3KCy/ZAIVQJlnNAEHDAQ
        BgoqhkiG92NkBgIBBAIFADAKBggqhkjOPQQDAgNHADBEAiBkrSPtHSpdKx4FJ4Zp
        BYKOZWI6EoyijoCWoS3OjNPhKwIgTqS/P2ooTNKiaqUcirdwaij069aAxJON/E0/
        5XvusUI=
        -----END CERTIFICATE-----
        """

    /// SHA-256 of the DER of ``oneSecond``, by `openssl x509 -outform DER | sha256sum`.
    static let oneSecondFingerprint = "b195080220c418f50775da49805ec44b05e5304d06bf576b4dc2f7b6ed25db3f"

    /// Self-signed in the same way with the Ed25519 key of ``GoldenKeys``, from 2000 to 2101.
    static let ed25519 = """
        -----BEGIN CERTIFICATE-----
        MIIBLzCB4qADAgECAggAwP/uAMD/7zAFBgMrZXAwEjEQMA4GA1UEAwwHRWR3YXJk
        czAgFw0wMDAxMDEwMDAwMDBaGA8yMTAxMDEwMTAwMDAwMFowEjEQMA4GA1UEAwwH
        RWR3YXJkczAqMAUGAytlcAMhAFzCLTQDx6GeMP9UiPkuSzHtGEc3wM57b0Frra6V
        5M0Ro1QwUjAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4E
        FgQUyjJGf3wOeMmYRG8fHbxbfLACZVYwEAYKKoZIhvdjZAYCAQQCBQAwBQYDK2Vw
        A0EATw/Ss9hNF31Lu0Vu9zMZ806OKnYEucMaDX/wvZlCdsshTBIcyx3EclUXTx9y
        V2b43aN/jByW2tY0ZOn6bNThDw==
        -----END CERTIFICATE-----
        """
}
