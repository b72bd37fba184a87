from __future__ import annotations

import secrets

from offprompt.tunnel.nonces import Nonces


def test_a_nonce_is_answered_only_while_its_try_lasts():
    nonces = Nonces(secrets.token_bytes)
    path, nonce = nonces.begin()
    other, _ = nonces.begin()
    assert path != other
    assert len(path) == len(nonce) == 32
    assert nonces.answer(path) == nonce
    assert nonces.answer("x" * 32) is None
    nonces.end(path)
    nonces.end(path)
    assert nonces.answer(path) is None
    assert nonce not in repr(nonces)
