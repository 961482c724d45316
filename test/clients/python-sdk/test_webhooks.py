"""Signatures, as the service makes them."""

import base64
import hashlib
import hmac
import json
import unittest

from troupe_sdk import WebhookVerificationError, verify_webhook

NOW = 1_767_268_800
SECRET = "whsec_" + base64.b64encode(bytes([7] * 32)).decode()
OTHER = "whsec_" + base64.b64encode(bytes([8] * 32)).decode()
BODY = json.dumps({"type": "test", "data": {"webhook_id": "w"}})


def signature(secret: str = SECRET) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"e1.{NOW}.{BODY}".encode(), hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


HEADERS = {"Webhook-Id": "e1", "Webhook-Timestamp": str(NOW), "Webhook-Signature": signature()}


class WebhookTest(unittest.TestCase):
    def test_returns_the_event(self) -> None:
        event = verify_webhook(BODY, HEADERS, secret=SECRET, now=NOW + 299)
        self.assertEqual(event["type"], "test")
        both = {**HEADERS, "Webhook-Signature": f"{signature(OTHER)} {signature()}"}
        verify_webhook(BODY.encode(), both, secret=[OTHER, SECRET], now=NOW)

    def test_refuses_the_rest(self) -> None:
        def changed(**headers: str) -> dict[str, str]:
            return {**HEADERS, **{f"Webhook-{name}": text for name, text in headers.items()}}

        for what, body, headers, secret, now, message in (
            ("another sender", BODY, HEADERS, OTHER, NOW, "No signature is right"),
            ("changed body", BODY + " ", HEADERS, SECRET, NOW, "No signature is right"),
            ("older scheme", BODY, changed(Signature="v0,AAAA"), SECRET, NOW, "No signature"),
            ("old", BODY, HEADERS, SECRET, NOW + 301, "301 s old"),
            ("future", BODY, HEADERS, SECRET, NOW - 301, "-301 s old"),
            ("no time", BODY, changed(Timestamp="²"), SECRET, NOW, "is not a time"),
            ("no id", BODY, changed(Id=""), SECRET, NOW, "webhook-id is missing"),
            ("no secret", BODY, HEADERS, "whsec_", NOW, "is not a webhook secret"),
            ("wrong secret", BODY, HEADERS, "whsec_*", NOW, "is not a webhook secret"),
        ):
            with self.subTest(what), self.assertRaisesRegex(WebhookVerificationError, message):
                verify_webhook(body, headers, secret=secret, now=now)


if __name__ == "__main__":
    unittest.main()
