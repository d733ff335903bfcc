import Testing

@testable import StoreSigning

/// A key in PEM. Test reports show its name in place of its text.
struct GoldenKey: Sendable, CustomTestStringConvertible {
    let name: String
    let pem: String

    init(_ name: String, _ pem: String) {
        self.name = name
        self.pem = pem
    }

    var testDescription: String { name }

    func privateKey(passphrase: String? = nil) throws -> PrivateKey {
        try PrivateKey(pemRepresentation: pem, passphrase: passphrase.map { Array($0.utf8) })
    }
}

/// Keys made by the `openssl` command, version 3.0. They guard nothing but these tests.
enum GoldenKeys {
    // MARK: P-256

    /// `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256`
    static let p256 = GoldenKey(
        "P-256",
        """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCBstxURFcnMP9PrO
        tALX4V/cRCHBYCIBKYN6AcbUUcqhRANCAATTamRIuo+e26yqbuMmBsgTbGXtv8dd
        f7uNKgSeLw5pnJnLSEr+0qK7xWqBSHv9VLANshNPAkkUGVd2EtTGDjz4
        -----END PRIVATE KEY-----
        """)

    /// `openssl pkey -pubout`, of the same key
    static let p256Public = GoldenKey(
        "P-256, public",
        """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE02pkSLqPntusqm7jJgbIE2xl7b/H
        XX+7jSoEni8OaZyZy0hK/tKiu8VqgUh7/VSwDbITTwJJFBlXdhLUxg48+A==
        -----END PUBLIC KEY-----
        """)

    /// `openssl ec`, of the same key: the form before PKCS#8
    static let p256Older = GoldenKey(
        "P-256, older form",
        """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIAgbLcVERXJzD/T6zrQC1+Ff3EQhwWAiASmDegHG1FHKoAoGCCqGSM49
        AwEHoUQDQgAE02pkSLqPntusqm7jJgbIE2xl7b/HXX+7jSoEni8OaZyZy0hK/tKi
        u8VqgUh7/VSwDbITTwJJFBlXdhLUxg48+A==
        -----END EC PRIVATE KEY-----
        """)

    /// The passphrase of the three keys below.
    static let passphrase = "correct"

    /// `openssl pkcs8 -topk8 -v2 aes-256-cbc -iter 2048 -passout pass:correct`, of the same key
    static let p256UnderPBKDF2 = GoldenKey(
        "P-256 under PBKDF2",
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiweNQxgplmzwICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEG/8B6q9iR7iMYFV61DDYAQEgZCD
        3y3zz2l7u+hqckM+DmrCyFcD9ZAgCC3GmdbiuZ+ivqIjYsABJVvtExZ7KpGtI6oG
        uLhZ50ghaSDTg0RAWVtQSYqcm04vORTjBOjoKvKmXlWRKlavjDr5t1FKvisP4E1G
        WL6CeK5BeHJZmy/pSHkTjEwAIARSoZcs1/Kc0R8d6KsKq0toihi9+fKQGmY+Lyw=
        -----END ENCRYPTED PRIVATE KEY-----
        """)

    /// `openssl pkcs8 -topk8 -scrypt -scrypt_N 1024 -passout pass:correct`, of the same key
    static let p256UnderScrypt = GoldenKey(
        "P-256 under scrypt",
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHkME8GCSqGSIb3DQEFDTBCMCEGCSsGAQQB2kcECzAUBAhdkuN8l1Y/QgICBAAC
        AQgCAQEwHQYJYIZIAWUDBAEqBBB0abTEmKOuo7upEnmOxsByBIGQoQGpT2mLvQZc
        YJtKLFL3OIm4dxtboCLKmHSX4LEPWn0Yv9bTb7QZ3W3wJu5QLtCqTA2cwSVIEYxH
        /EwygLfaXnE45UfGe2J2RkH6wp+g+Js5SfCnqoN+KXXwR8VOGXFokXEE9tHDWNbR
        spvh0DuKSlum2hwE/gUwSZbfI7AI5vR1Fmbw8hzo9+b6Cxm5z/+a
        -----END ENCRYPTED PRIVATE KEY-----
        """)

    /// `openssl ec -aes128 -passout pass:correct`, of the same key: encrypted by PEM itself
    static let p256OlderEncrypted = GoldenKey(
        "P-256, older form, encrypted",
        """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,41665A1469F4AC3000CE6EA48F5FC3B6

        qgVK/hPooctfu9/1r0Ks/K81RaMpKKAjrU4SiuQ83xGuSR8Nie9xUfdCS3FdvGmA
        y2M5yMJp811T0/qZhe2FKgsHL34x1FpPAs4DiFsW4d3eeOsWmQ1ZUewv+o2kyZYb
        eaYQ8/j168xMRfvsvT8NwzRi+a8iYwRutWLk+asDvK0=
        -----END EC PRIVATE KEY-----
        """)

    // MARK: RSA

    /// `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024`
    static let rsa = GoldenKey(
        "RSA",
        """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBANblbyc7R7nH9S+J
        uYuU2v6TAtbDWrctyZhpKOxkRg3ETrijMac/cWurl4cDUIP2zXtxjFCFd6cty/6u
        9mVDxgefBXFGcFNQA5A0AzsbfVBTtTz+AgVGVkqtaTa0x9IyKEZvfD9lEeFJJ1DW
        umtHQNKVq5h9BQVjqPNkQQ/k8YbzAgMBAAECgYBXNVzaavA8sK0L0bR+tLX6weZR
        CY5y8B3zwBlfdYIIbDYWMAQif1ij/UrM+8ddBnd1NStgMgnQyoESpiZQCiT+jBQ9
        IATEOVaDt0ULpSmGqWBSra6/0JIRAsHIaN3MZsUmVcT6Wng7neP8kpF4WuYUnpeA
        Bn6Ewj9mWsglKRqHAQJBAPimE0ihKJYRu392LAkPXMVwBpclvdsdy1ZdXToCGG8H
        k+wSdfXfjDrMapHYsqQKdmKFtzjSAsP/LiZQh0JkzOECQQDdP+Y/ZgP5GaG/+pGw
        KToaHpgteovhyfFgB2QtSPeDlZ4KaHAnSdY/ml2ZzCujulmJZDCF2/bfiViRdwWZ
        vFpTAkEA9wwzHreY1roZnAPyrrHH0BeFRMnn//xzWoT7KraIRlC2JRkWgMuyzXzq
        6avvmlMW2r7Wk6r9unUhCkp6iXoToQJAYbr5JOYWOTGGTnwLYKpFXQZIqEYqhfkj
        Iw0AxjQmCTzMy8IoUGKAPiYc1HPojvEg3dygxnBMk59ivRa7JZaauwJAYAYwLODQ
        9h6ll+jBhvVsI2jGsCWHeL6ARm9VCeY729U7AAhokTUMm1OyKw4Wy6m65FdeG0Qr
        AYLxD6i/j7miqA==
        -----END PRIVATE KEY-----
        """)

    /// `openssl pkey -pubout`, of the same key
    static let rsaPublic = GoldenKey(
        "RSA, public",
        """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDW5W8nO0e5x/UvibmLlNr+kwLW
        w1q3LcmYaSjsZEYNxE64ozGnP3Frq5eHA1CD9s17cYxQhXenLcv+rvZlQ8YHnwVx
        RnBTUAOQNAM7G31QU7U8/gIFRlZKrWk2tMfSMihGb3w/ZRHhSSdQ1rprR0DSlauY
        fQUFY6jzZEEP5PGG8wIDAQAB
        -----END PUBLIC KEY-----
        """)

    /// `openssl rsa -traditional`, of the same key: the form before PKCS#8
    static let rsaOlder = GoldenKey(
        "RSA, older form",
        """
        -----BEGIN RSA PRIVATE KEY-----
        MIICXAIBAAKBgQDW5W8nO0e5x/UvibmLlNr+kwLWw1q3LcmYaSjsZEYNxE64ozGn
        P3Frq5eHA1CD9s17cYxQhXenLcv+rvZlQ8YHnwVxRnBTUAOQNAM7G31QU7U8/gIF
        RlZKrWk2tMfSMihGb3w/ZRHhSSdQ1rprR0DSlauYfQUFY6jzZEEP5PGG8wIDAQAB
        AoGAVzVc2mrwPLCtC9G0frS1+sHmUQmOcvAd88AZX3WCCGw2FjAEIn9Yo/1KzPvH
        XQZ3dTUrYDIJ0MqBEqYmUAok/owUPSAExDlWg7dFC6UphqlgUq2uv9CSEQLByGjd
        zGbFJlXE+lp4O53j/JKReFrmFJ6XgAZ+hMI/ZlrIJSkahwECQQD4phNIoSiWEbt/
        diwJD1zFcAaXJb3bHctWXV06AhhvB5PsEnX134w6zGqR2LKkCnZihbc40gLD/y4m
        UIdCZMzhAkEA3T/mP2YD+Rmhv/qRsCk6Gh6YLXqL4cnxYAdkLUj3g5WeCmhwJ0nW
        P5pdmcwro7pZiWQwhdv234lYkXcFmbxaUwJBAPcMMx63mNa6GZwD8q6xx9AXhUTJ
        5//8c1qE+yq2iEZQtiUZFoDLss186umr75pTFtq+1pOq/bp1IQpKeol6E6ECQGG6
        +STmFjkxhk58C2CqRV0GSKhGKoX5IyMNAMY0Jgk8zMvCKFBigD4mHNRz6I7xIN3c
        oMZwTJOfYr0WuyWWmrsCQGAGMCzg0PYepZfowYb1bCNoxrAlh3i+gEZvVQnmO9vV
        OwAIaJE1DJtTsisOFsupuuRXXhtEKwGC8Q+ov4+5oqg=
        -----END RSA PRIVATE KEY-----
        """)

    // MARK: Kinds that some places or all must refuse

    /// `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384`
    static let p384 = GoldenKey(
        "P-384",
        """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDFFZwe5eVnxIsbv81v
        Z4M18nTbkr8k9jh8MhaPuFpPhLpizZfanrPTi+zZa0WQVl6hZANiAAQaLoK0AL4a
        YJJM7yfO8N4ePkHtd0NK+TrcFbZzk6NK/Y1Bwzy0VfvS7ydPNwWDLPe+qKwaGZW8
        WfDT2VNP3X/HEcEv05hoEQGfGMC9h0QCFV26sn22DRqEvlW/UgFZtB4=
        -----END PRIVATE KEY-----
        """)

    /// `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1`
    static let secp256k1 = GoldenKey(
        "secp256k1",
        """
        -----BEGIN PRIVATE KEY-----
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgEwjsU+pZppavCogUZh/V
        JhUdQCyPi4wCeFNTgGtszX+hRANCAASX6ihVhDjC33un9C5ejjE4IUjldemi49fG
        NxrFvdclQ7OAgE85/P7KE5W/PHgzUXSupNMBu4Y/kWzUe8/cAFPS
        -----END PRIVATE KEY-----
        """)

    /// `openssl genpkey -algorithm ED25519`
    static let ed25519 = GoldenKey(
        "Ed25519",
        """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIM0u07IDhm0kT1BrkE3Qa/Obh6z2DMKBu7nWLgMI/jbp
        -----END PRIVATE KEY-----
        """)

    /// `openssl pkey -pubout`, of the same key
    static let ed25519Public = GoldenKey(
        "Ed25519, public",
        """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAXMItNAPHoZ4w/1SI+S5LMe0YRzfAzntvQWutrpXkzRE=
        -----END PUBLIC KEY-----
        """)

    /// `openssl genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:1024`
    static let rsaPSS = GoldenKey(
        "RSA-PSS",
        """
        -----BEGIN PRIVATE KEY-----
        MIICdQIBADALBgkqhkiG9w0BAQoEggJhMIICXQIBAAKBgQDTDiEDVioHM/I7kw7W
        LJjYzHY+Jz42LSV5FSGRMItQuLmYXr5cvprPs88iZyBwhvOAadin5kLhya+q+1Cb
        9Dn5ZQ5QQE5ptXjEome3KzMeTJbOhi37Jy3agHrtK+jg1wM5Yj9bH1hTPhyp52DB
        u8/dfrwqs0N6IXCvUVMJJsTibwIDAQABAoGBAMNmnWH9cEPi8C3/5QidmZV/FypM
        Iuj9u2fzDHTjwNgnbo2Hii9LuQD7tJZhbENCbkdBt/ka0mlA1YczzlnVL6Xq9zJe
        ECVEbjUx9p2c+zRh/M66AODXimALd6nbjrdjIfjBhBMAPaRjvIv/H3/IeTIwQcEr
        wzS3sgvdOM3zztKBAkEA/CbN8jxmIZfcdiYs35i2fJ95GnhrFcCZSWinjN7SJcNn
        /4q7dCKFNk792Ky55eOKwiFWInmpcDVwPoMqxJ0JHwJBANZGwSXXz0Zd6948lI7V
        9P8QQd2pQ8Ara9IRDR82zS/RRvMY/HiyLqA6bPDM1/2ldtz9uIKpPdIPvZU/cWAX
        7LECQCxIzGa8wNsphqihb8QdV/9vKp/Bgl0hpEpGPRb6k0Hancs9nEp7PZYaLW7+
        du+vFNGfdTc80stIN1xjQQGi6tUCQFay2DHMqTRKikYoct98WJ3fYRckBqK5ru2X
        Mpz/mnQPlEqGQJlBVzZDjZK8/2PE0FxIWKCdg8L71XSO7/u2knECQQC3cpQ3T0X5
        oumYVK73rkquiaHoFyzZNvvCt0tc6fiIjZlDN4ZHxBLflHqs0JpljYm5y2TKStAr
        LHkcNwHwt3+A
        -----END PRIVATE KEY-----
        """)
}
