"""The container of an app receipt is, value for value, the one that the App Store's receipts have."""

import pytest
from asn1crypto import cms, core
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

from support import attributes, der, payloads, receipts
from support.counting import counted

pytestmark = pytest.mark.rows("R4.1", "P39")

BOTH_ENVIRONMENTS = pytest.mark.parametrize("environment", counted(2, list(payloads.ENVIRONMENTS)))

DATA = bytes.fromhex("06092a864886f70d010701")
SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
SHA256_WITH_NULL = bytes.fromhex("300d06096086480165030402010500")
RSA_WITH_NULL = bytes.fromhex("300d06092a864886f70d0101010500")
VERSION_1 = bytes.fromhex("020101")


@pytest.fixture
def chain(authority, environment):
    return authority(environment, "receipt")


@pytest.fixture
def receipt(chain, environment) -> bytes:
    return chain.sign_receipt(receipts.receipt(environment, [receipts.subscription()]))


@BOTH_ENVIRONMENTS
def test_the_container_is_built_as_the_app_store_builds_it(chain, receipt):
    tag, content, end = der.read(receipt)
    assert (tag, end) == (0x30, len(receipt))
    kind, wrapper = der.children(content)
    assert kind == SIGNED_DATA
    assert wrapper[0] == 0xA0
    (signed_data,) = der.children(der.read(wrapper)[1])
    version, digests, info, certificates, signers = der.children(der.read(signed_data)[1])
    assert version == VERSION_1
    assert digests == der.value(0x31, SHA256_WITH_NULL)
    info_kind, payload_wrapper = der.children(der.read(info)[1])
    assert info_kind == DATA
    assert payload_wrapper[0] == 0xA0
    (payload,) = der.children(der.read(payload_wrapper)[1])
    assert payload[0] == 0x04
    assert certificates == der.value(0xA0, chain.leaf, chain.intermediate, chain.root)
    (signer,) = der.children(der.read(signers)[1])
    leaf = chain.certificates[0]
    signer_version, identifier, digest, encryption, signature = der.children(der.read(signer)[1])
    assert signer_version == VERSION_1
    assert identifier == der.value(0x30, leaf.issuer.public_bytes(), core.Integer(leaf.serial_number).dump())
    assert digest == SHA256_WITH_NULL
    assert encryption == RSA_WITH_NULL
    assert signature[0] == 0x04
    assert len(der.read(signature)[1]) == 256


@BOTH_ENVIRONMENTS
def test_every_value_is_der(receipt):
    assert der.require_der(receipt) == 200
    info = cms.ContentInfo.load(receipt, strict=True)
    payload = info["content"]["encap_content_info"]["content"].native
    # A set of 24 attributes, each a sequence of three values; in the purchase 22.
    assert der.require_der(payload) == 1 + 24 * 4
    values = {number: value for number, _, value in attributes.read(payload) if number not in (4, 5, 6, 7)}
    assert {number: der.require_der(value) for number, value in values.items()} == {
        number: 1 + 22 * 4 if number == 17 else 1 for number in values
    }


@BOTH_ENVIRONMENTS
def test_another_library_reads_the_same_container(chain, receipt):
    info = cms.ContentInfo.load(receipt, strict=True)
    assert info["content_type"].native == "signed_data"
    signed = info["content"]
    assert signed["version"].native == "v1"
    assert [digest["algorithm"].native for digest in signed["digest_algorithms"]] == ["sha256"]
    assert signed["encap_content_info"]["content_type"].native == "data"
    assert [each.chosen.dump() for each in signed["certificates"]] == [chain.leaf, chain.intermediate, chain.root]
    assert signed["crls"].native is None
    (signer,) = signed["signer_infos"]
    assert signer["version"].native == "v1"
    assert signer["signed_attrs"].native is None
    assert signer["unsigned_attrs"].native is None
    assert signer["digest_algorithm"].native == {"algorithm": "sha256", "parameters": None}
    assert isinstance(signer["digest_algorithm"]["parameters"], core.Null)
    assert signer["signature_algorithm"]["algorithm"].native == "rsassa_pkcs1v15"
    assert isinstance(signer["signature_algorithm"]["parameters"], core.Null)


@BOTH_ENVIRONMENTS
def test_the_signature_is_over_the_payload_itself(chain, receipt):
    signed = cms.ContentInfo.load(receipt)["content"]
    payload = signed["encap_content_info"]["content"].native
    signature = signed["signer_infos"][0]["signature"].native
    key = chain.certificates[0].public_key()
    assert key.key_size == 2048
    key.verify(signature, payload, padding.PKCS1v15(), hashes.SHA256())
