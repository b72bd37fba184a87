"""A certificate authority that lives as long as a test run."""

from __future__ import annotations

import base64
import datetime
import hashlib
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from OpenSSL import SSL
from twisted.internet.interfaces import IOpenSSLContextFactory
from twisted.internet.ssl import Certificate, trustRootFromCertificates
from zope.interface import implementer


@implementer(IOpenSSLContextFactory)
class Identity:
    """A certificate and its key, as `reactor.listenSSL` takes them.

    Not Twisted's own CertificateOptions: as a server's it makes pyOpenSSL 26 warn, and a warning fails a test.
    """

    def __init__(self, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
        self._certificate = certificate
        self._context = SSL.Context(SSL.TLS_SERVER_METHOD)
        self._context.use_certificate(certificate)
        self._context.use_privatekey(key)

    def getContext(self) -> SSL.Context:
        return self._context

    @property
    def spki(self) -> str:
        """What Chromium's --ignore-certificate-errors-spki-list takes for it."""
        encoded = self._certificate.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return base64.b64encode(hashlib.sha256(encoded).digest()).decode()


class Authority:
    """Makes certificates; `trust` is the trust root that knows them."""

    def __init__(self, name: str = "offprompt test authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = self._builder(self._name, self._key.public_key())
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        self.pem = made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        self.trust = trustRootFromCertificates([Certificate.loadPEM(self.pem)])

    def issue(self, *names: str) -> Identity:
        """A certificate, with its key, for host names (`*.` is allowed) and addresses."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
        alternatives = x509.SubjectAlternativeName([_general(name) for name in names])
        made = self._builder(subject, key.public_key()).add_extension(alternatives, critical=False)
        return Identity(made.sign(self._key, hashes.SHA256()), key)

    def _builder(self, subject: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=2))
        )


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
