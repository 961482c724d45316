"""
What no schema can say: a cursor belongs to one list, a token is a JWT, an address is not private. Requests that the schemas allow get
values that are also true, so that `positive_data_acceptance` accepts no refusal of theirs. Requests with a fault in them stay as they are.
`raw_requests` adds what schemathesis does not send, or accepts: bodies that are not JSON, JSON by another media type, bodies of operations
without one, and undecodable paths.
"""
import base64
import itertools
import json
import os
import re
import uuid
from urllib.parse import urlsplit

import requests
import schemathesis
from schemathesis.generation import GenerationMode

NOT_OURS = ("__proto__", "constructor")
# It begins like a picture, in letters: bytes in a form would make it a faulty request here.
PICTURE = "RIFF    WEBPVP8 "

# Not `transparent`: a session that runs cannot become so.
BACKGROUNDS = ("own", "blur", "green", "#102030", "office")

DEEP = 30_000
UNREADABLE = ("", " ", "<html>", "undefined", '"text"', "null", "1e999", '{"a":NaN}', "{'a':1}", "[" * DEEP, "[" * DEEP + "]" * DEEP)
UNASKED = (("application/json", '{"broken'), ("text/plain", "text"), ("application/x-www-form-urlencoded", "a=b"))
# As written in the path.
ODD_IDS = ("%00", "%2F", "..%2F..%2Fetc", "%27%20or%201%3D1", "%ED%A0%80", "%E0%A4%A", "%zz", "%7Bid%7D", "x" * 3_000)

PATIENCE_S = 180

numbers = itertools.count()
tried_raw = set()
# By path and filters: cursors of lists that have a next page.
cursors = {}
# The call that TROUPE_ROOM_TOKEN opens.
chat_call = json.loads(os.environ["TROUPE_CHAT_CALL"])
# Ids of the keys that the requests carry, and of their accounts.
spared = json.loads(os.environ["TROUPE_SPARED_IDS"])


@schemathesis.hook
def before_call(context, case, kwargs):
    spare_own(case)
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    if case.query and "cursor" in case.query:
        use_own_cursor(case)
    if isinstance(case.body, dict):
        case.body = without_poison(case.body)
    tidy = RULES.get(case.operation.label)
    if tidy:
        tidy(case)


@schemathesis.hook
def after_call(context, case, response):
    if case.method == "GET" and response.status_code == 200 and case.operation.path != "/openapi.json":
        remember_cursor(case, response)


@schemathesis.check
def raw_requests(ctx, response, case):
    """Once for each operation, and for its body once it has succeeded."""
    operation, sent = case.operation, response.request
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    if "{" in operation.path and is_first(operation.label, "path"):
        for odd in ODD_IDS:
            path = re.sub(r"{\w+}", odd, operation.path)
            status = send_raw(sent, url=urlsplit(sent.url)._replace(path=path).geturl())
            # 409: what the body names is not ready.
            assert status in (400, 404, 409), f"{status} for the id {odd[:80]}"
    if response.status_code >= 300 or not is_first(operation.label, "body"):
        return
    if not operation.definition.raw.get("requestBody"):
        for kind, body in UNASKED:
            status = send_raw(sent, body=body, content_type=kind)
            assert status < 500 and status not in (400, 415, 422), f"{status} for a body that is not asked for: {body}"
    elif sent.headers.get("content-type") == "application/json":
        status = send_raw(sent, content_type="text/plain")
        assert status in (415, 422), f"{status} for text/plain"
        for body in unreadable(sent.body.decode()):
            status = send_raw(sent, body=body)
            assert status in (415, 422), f"{status} for the body {body[:80]}"


def is_first(*what):
    is_new = what not in tried_raw
    tried_raw.add(what)
    return is_new


def send_raw(sent, url=None, body=None, content_type=None):
    """As `sent`, but for these. `requests` would encode the URL again."""
    raw = sent.copy()
    if content_type:
        raw.headers["content-type"] = content_type
    if body is not None:
        raw.body = body.encode()
        raw.headers["content-length"] = str(len(raw.body))
    raw.url = url or raw.url
    with requests.Session() as session, session.send(raw, timeout=PATIENCE_S, stream=True) as answer:
        # Events have no end. Other answers are read: an export that is still being sent refuses the next one.
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            answer.content
        return answer.status_code


def unreadable(text):
    """What becomes of a good body."""
    poisons = ('"__proto__":{"a":1}', '"constructor":{"prototype":{}}')
    poisoned = [f"{{{poison},{text[1:]}" for poison in poisons]
    return [*UNREADABLE, text[:-1], f"{text}}}", f"[{text}]", text.replace("{", "{\0", 1), *poisoned]


def spare_own(case):
    """A revoked key, or one of an account with a small plan, would get no more answers."""
    if case.method == "GET":
        return
    for name, value in (case.path_parameters or {}).items():
        if value in spared:
            case.path_parameters[name] = str(uuid.uuid4())


def list_of(case):
    filters = {name: value for name, value in (case.query or {}).items() if name not in ("cursor", "limit")}
    return json.dumps([case.formatted_path, filters], sort_keys=True, default=str)


def remember_cursor(case, response):
    if "application/json" not in "".join(response.headers.get("content-type", [])):
        return
    body = response.json()
    if isinstance(body, dict) and "next_cursor" in body:
        cursors[list_of(case)] = body["next_cursor"]


def use_own_cursor(case):
    known = cursors.get(list_of(case))
    if known:
        case.query["cursor"] = known
    else:
        del case.query["cursor"]


def without_poison(value):
    """The names that are refused anywhere: they change the prototype of what is read."""
    if isinstance(value, list):
        return [without_poison(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: without_poison(each) for name, each in value.items() if name not in NOT_OURS}


def tidy_session(case):
    """A room is a URL and a token; without them, the service opens one."""
    tidy_video(case.body)
    for older in ("livekit_url", "livekit_token"):
        case.body.pop(older, None)
    if "url" in case.body or "token" in case.body:
        case.body.update(url="wss://media.their.example", token=room_token())


def room_token():
    """Nobody checks the signature: the secret is that of another media server."""
    claims = {"video": {"roomJoin": True, "room": f"room-{next(numbers)}"}}
    parts = [json.dumps({"alg": "HS256"}).encode(), json.dumps(claims).encode(), b"signature"]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def tidy_times(case):
    """400: `from` is after `to`."""
    query = case.query
    if "from" in query and "to" in query:
        query["from"] = query["to"]


def tidy_audit_log(case):
    """403: an account reads its own entries only."""
    case.query.pop("account_id", None)
    tidy_times(case)


def tidy_key(case):
    """A key that expires does so in the future; a network is a CIDR; some resources are for operators."""
    if case.body.get("expires_at") is not None:
        case.body["expires_at"] = "2099-01-01T00:00:00Z"
    if case.body.get("allowed_networks") is not None:
        case.body["allowed_networks"] = ["203.0.113.0/24"]
    if case.body.get("scopes") is not None:
        case.body["scopes"] = ["calls:read"]
        case.body.pop("scope", None)


def tidy_change_of_key(case):
    """Keys of operators have other scopes."""
    case.body.pop("scopes", None)
    tidy_key(case)


def tidy_invitation(case):
    """Into an account with a role in it, or as an operator."""
    for name in ("account_id", "role"):
        case.body.pop(name, None)
    case.body["is_operator"] = True


def tidy_agent(case):
    """Each type of capability once; origins of web pages; no logo, which no schema describes."""
    tidy_video(case.body)
    if case.body.get("allowed_origins") is not None:
        case.body["allowed_origins"] = ["https://www.example.com"]
    if isinstance(case.body.get("appearance"), dict):
        case.body["appearance"].pop("logo", None)
    given = case.body.get("capabilities")
    if isinstance(given, list):
        by_type = {each["type"] if isinstance(each, dict) else each: each for each in given}
        case.body["capabilities"] = list(by_type.values())


def tidy_address(case):
    """On this machine, which is allowed, and nowhere else."""
    if "url" in case.body:
        case.body["url"] = f"http://127.0.0.1:9/{next(numbers)}"


def tidy_address_of_same_type(case):
    """The type cannot be changed."""
    case.body.pop("type", None)
    tidy_address(case)


def tidy_file(case):
    """A PDF is uploaded in chunks."""
    if case.body.get("format") == "pdf":
        case.body.pop("content", None)


def tidy_picture(case):
    """The build judges the rest."""
    case.body["picture"] = PICTURE
    if "background" in case.body and not isinstance(case.body["background"], str):
        case.body["background"] = PICTURE


def use_own_call(case):
    """The room token opens no other."""
    case.path_parameters.update(chat_call)


def tidy_domain(case):
    """A domain belongs to one account."""
    case.body["domain"] = f"company-{next(numbers)}.example"


def tidy_canary(case):
    """A pool is not compared with itself."""
    case.body.update(pool="next", stable_pool="default")


def tidy_overflow(case):
    """Nothing is sent there."""
    case.body.update(url="http://127.0.0.1:9", api_key="a-key", max_sessions=0)


def tidy_video(body):
    """Even sides, or a preset; a background that exists."""
    video = body.get("video")
    if not isinstance(video, dict):
        return
    sides = [video.pop(side) for side in ("width", "height") if side in video]
    if sides and "preset" not in video:
        # The longer side has at most four times the shorter one.
        video["width"] = video["height"] = 2 * (sides[0] // 2)
    if "background" in video:
        video["background"] = BACKGROUNDS[len(video["background"]) % len(BACKGROUNDS)]


def tidy_call(case):
    tidy_video(case.body)


def tidy_scene(case):
    """Size and frame rate stay while the session runs."""
    tidy_video(case.body)
    if isinstance(case.body.get("video"), dict):
        for fixed in ("preset", "width", "height", "fps"):
            case.body["video"].pop(fixed, None)


RULES = {
    "PUT /v1/fleet/canary": tidy_canary,
    "PUT /v1/fleet/overflow": tidy_overflow,
    "POST /v1/sessions": tidy_session,
    "PATCH /v1/sessions/{id}": tidy_scene,
    "POST /v1/calls": tidy_call,
    "POST /v1/mediaserver-rooms": tidy_call,
    "POST /v1/livekit-rooms": tidy_call,
    "GET /v1/sessions": tidy_times,
    "GET /v1/audit-log": tidy_audit_log,
    "GET /v1/audit-log/export": tidy_audit_log,
    "POST /admin/accounts/{id}/keys": tidy_key,
    "PATCH /admin/accounts/{id}/keys/{keyId}": tidy_change_of_key,
    "POST /admin/accounts/{id}/domains": tidy_domain,
    "POST /admin/invitations": tidy_invitation,
    "POST /v1/api-keys": tidy_key,
    "PATCH /v1/api-keys/{id}": tidy_key,
    "POST /v1/agents": tidy_agent,
    "PATCH /v1/agents/{id}": tidy_agent,
    "POST /v1/external-apis": tidy_address,
    "PATCH /v1/external-apis/{id}": tidy_address_of_same_type,
    "POST /v1/webhooks": tidy_address,
    "PATCH /v1/webhooks/{id}": tidy_address,
    "POST /v1/knowledge-files": tidy_file,
    "POST /v1/avatars": tidy_picture,
    "GET /v1/chat/{id}/calls/{call_id}": use_own_call,
    "DELETE /v1/chat/{id}/calls/{call_id}": use_own_call,
}
