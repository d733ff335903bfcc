"""Certificate chains made by `cryptography`, without any code of the store: good ones, and some with one defect."""

from dataclasses import dataclass, field

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from .instants import ISSUED_AT, YEAR, moment
from .store import INTERMEDIATE_MARKER, LEAF_MARKER

NULL = b"\x05\x00"


def p256():
    return ec.generate_private_key(ec.SECP256R1())


def p384():
    return ec.generate_private_key(ec.SECP384R1())


def rsa2048():
    return rsa.generate_private_key(65537, 2048)


@dataclass(frozen=True)
class Marker:
    oid: str
    critical: bool = False
    content: bytes = NULL

    @property
    def extension(self) -> x509.UnrecognizedExtension:
        return x509.UnrecognizedExtension(x509.ObjectIdentifier(self.oid), self.content)


@dataclass(frozen=True)
class Plan:
    """What one certificate is to be; its defaults make one that everybody accepts."""

    make_key: object
    markers: tuple[Marker, ...] = ()
    not_before: int = ISSUED_AT
    not_after: int = ISSUED_AT + 3 * YEAR
    is_authority: bool = True


@dataclass(frozen=True)
class Plans:
    root: Plan
    intermediate: Plan
    leaf: Plan

    @staticmethod
    def jws(**changes) -> "Plans":
        return Plans._of({"root": p384, "intermediate": p384, "leaf": p256}, changes)

    @staticmethod
    def receipt(**changes) -> "Plans":
        return Plans._of(dict.fromkeys(("root", "intermediate", "leaf"), rsa2048), changes)

    @staticmethod
    def _of(keys: dict, changes: dict) -> "Plans":
        defaults = {
            "root": {},
            "intermediate": {"markers": (Marker(INTERMEDIATE_MARKER),)},
            "leaf": {"markers": (Marker(LEAF_MARKER),), "is_authority": False},
        }
        assert set(changes) <= set(defaults)
        return Plans(
            **{
                role: Plan(**{"make_key": keys[role], **default, **changes.get(role, {})})
                for role, default in defaults.items()
            }
        )


@dataclass(frozen=True)
class ForeignChain:
    leaf: x509.Certificate
    intermediate: x509.Certificate
    root: x509.Certificate
    leaf_key: object
    root_key: object = field(repr=False)

    @staticmethod
    def make(plans: Plans) -> "ForeignChain":
        root_key, intermediate_key, leaf_key = (
            plan.make_key() for plan in (plans.root, plans.intermediate, plans.leaf)
        )
        root = issue(plans.root, "Foreign Root", root_key, None, root_key)
        intermediate = issue(plans.intermediate, "Foreign Intermediate", intermediate_key, root, root_key)
        leaf = issue(plans.leaf, "Foreign Leaf", leaf_key, intermediate, intermediate_key)
        return ForeignChain(leaf, intermediate, root, leaf_key, root_key)

    @property
    def certificates(self) -> list[x509.Certificate]:
        return [self.leaf, self.intermediate, self.root]


def issue(plan: Plan, name: str, key, issuer: x509.Certificate | None, issuer_key) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    usage = dict.fromkeys(
        "content_commitment key_encipherment data_encipherment key_agreement encipher_only decipher_only".split(), False
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(moment(plan.not_before))
        .not_valid_after(moment(plan.not_after))
        .add_extension(x509.BasicConstraints(plan.is_authority, None), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=not plan.is_authority,
                key_cert_sign=plan.is_authority,
                crl_sign=plan.is_authority,
                **usage,
            ),
            critical=True,
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False
        )
    )
    for marker in plan.markers:
        builder = builder.add_extension(marker.extension, critical=marker.critical)
    return builder.sign(issuer_key, hashes.SHA256())
