# Generated from /openapi.json by `npm run sdks`. Do not edit.
from __future__ import annotations

from typing import IO, Any, Literal, NotRequired, TypeAlias, TypedDict

FileContent: TypeAlias = "bytes | IO[bytes]"
"""The content of a file in a form."""


class AbilitiesHears(TypedDict):
    by: Literal["external_api", "service", "ollama", "built_in"]
    """`external_api`: an external API of the account. `service`: the model configured for
    the service. `ollama`: a model that Ollama serves beside the service. `built_in`:
    what agent workers bring along."""
    model: str | None
    """Name of the model. Null if it is built in."""


class AbilitiesThinks(TypedDict):
    by: Literal["external_api", "service", "ollama", "built_in"]
    """`external_api`: an external API of the account. `service`: the model configured for
    the service. `ollama`: a model that Ollama serves beside the service. `built_in`:
    what agent workers bring along."""
    model: str | None
    """Name of the model. Null if it is built in."""


class AbilitiesSpeaks(TypedDict):
    by: Literal["external_api", "service", "ollama", "built_in"]
    """`external_api`: an external API of the account. `service`: the model configured for
    the service. `ollama`: a model that Ollama serves beside the service. `built_in`:
    what agent workers bring along."""
    model: str | None
    """Name of the model. Null if it is built in."""


class Abilities(TypedDict):
    """What an agent can do in a call here."""

    hears: AbilitiesHears | None
    """Speech recognition. Null: the agent reads typed text only."""
    thinks: AbilitiesThinks | None
    """Language model. Null: the agent answers in the words of its knowledge files and
    instructions."""
    speaks: AbilitiesSpeaks
    sees: bool
    """Whether the agent looks at the user's camera: it has the capability `webcam_vision`,
    and its language model sees. Ollama says so of its models. Others are taken to see
    until one has refused a picture."""
    languages: list[str]
    """Languages that its voice speaks. In others, the agent is shown as text only."""
    installing: list[Literal["natural_voice", "speech_recognition"]]
    """Parts that `npm start` is installing for an agent like this."""


class AgentCapabilitiesItemWebcamVision(TypedDict):
    type: Literal["webcam_vision"]


class AgentCapabilitiesItemWakeupMode(TypedDict):
    type: Literal["wakeup_mode"]
    triggers: list[str]
    """Words or phrases, case-insensitive."""


class AgentLlmOpenai(TypedDict):
    type: Literal["openai"]


class AgentLlmOpenaiCompatible(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account."""
    model: str
    temperature: float


class AgentStt(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account, of the matching type."""
    model: str


class AgentTts(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account, of the matching type."""
    model: str
    voice: str | None


class AgentEmbeddings(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account, of the matching type."""
    model: str


class AgentTurnTaking(TypedDict):
    patience: Literal["low", "medium", "high"]
    """How long the agent waits when the user pauses in the middle of a sentence."""
    interruptibility: Literal["low", "medium", "high"]
    """How easily speech of the user interrupts the agent."""


class AgentLimitsCall(TypedDict):
    model_tokens: int
    speech_characters: int
    seconds: int


class AgentLimitsDay(TypedDict):
    model_tokens: int
    speech_characters: int
    seconds: int


class AgentLimitsLinkDay(TypedDict):
    model_tokens: int
    speech_characters: int
    seconds: int


class AgentLimits(TypedDict):
    """Budgets of the agent’s calls."""

    call: AgentLimitsCall
    day: AgentLimitsDay
    link_day: AgentLimitsLinkDay
    texts_per_ten_minutes: int


class AgentAppearance(TypedDict):
    """How the pages of visitors look. Null: the default."""

    accent_color: str | None
    logo: str | None
    """Address of the logo; needs no key. It changes with the logo."""
    welcome_text: str | None


class Agent(TypedDict):
    id: str
    name: str
    avatar_id: str
    system_prompt: str | None
    language: str
    greeting: str | None
    max_session_length_minutes: float
    capabilities: list[AgentCapabilitiesItemWebcamVision | AgentCapabilitiesItemWakeupMode]
    llm: AgentLlmOpenai | AgentLlmOpenaiCompatible | None
    stt: AgentStt | None
    tts: AgentTts | None
    embeddings: AgentEmbeddings | None
    knowledge_files: list[str]
    created_at: str
    allowed_origins: list[str]
    """Origins of the web pages that may show the agent."""
    turn_taking: AgentTurnTaking
    video: VideoRequest | None
    """The picture of its calls. Null: the default."""
    voice: Literal["nora", "ines", "theo", "samuel"] | None
    """Built-in voice. Null: the one that fits the avatar."""
    limits: AgentLimits
    """Budgets of the agent’s calls."""
    appearance: AgentAppearance
    """How the pages of visitors look. Null: the default."""
    abilities: AgentAbilities
    is_private: bool
    """Whether its room page needs a link token. See the link secret of an agent."""
    chat_url: str
    """Room page of the agent. Anyone with this address can talk to the agent, unless it is
    private."""


class AgentAbilities(TypedDict):
    """What the agent can do here now. In detail: the abilities of an agent."""

    hears: bool
    """Whether it understands speech."""
    sees: str | None
    """The model that looks at the user's camera, like `thinks_with`. Null: none does."""
    thinks_with: str | None
    """Name of its language model; `ollama/` and the name for a model of Ollama. Null: it
    answers in the words of its knowledge files and instructions."""
    speaks_with: str | None
    """Name of its text-to-speech model, or `built-in voice`. Null: no voice here speaks
    its language, and text is shown."""


class AgentBudgetReachedEventData(TypedDict):
    agent_id: str
    call_id: str
    """The call in which it was used up."""
    budget: Literal["call", "day", "link_day", "account_day", "address_day"]
    """`call`: One call of the agent. `day`: All calls of the agent in a day. `link_day`:
    Calls that visitors open by the link of the agent in a day: from its room page or
    embedded, public or private. `account_day`: All calls of the account in a day, by
    its plan. `address_day`: Calls that visitors open by links from one address in a
    day, for all agents."""
    unit: Literal["model_tokens", "speech_characters", "seconds"]
    limit: int
    resets_at: str | None
    """When it begins again. Null for the budget of a call."""


class AgentBudgetReachedEvent(TypedDict):
    type: Literal["agent.budget_reached"]
    timestamp: str
    """When it happened."""
    data: AgentBudgetReachedEventData


class AgentChangesCapabilitiesItemWebcamVision(TypedDict):
    type: Literal["webcam_vision"]


class AgentChangesCapabilitiesItemWakeupMode(TypedDict):
    type: Literal["wakeup_mode"]
    triggers: list[str]
    """Words or phrases, case-insensitive."""


class AgentChangesLlmOpenai(TypedDict):
    type: Literal["openai"]


class AgentChangesLlmOpenaiCompatible(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account."""
    model: str
    temperature: float | str
    """A number, or a number as text."""


class AgentChangesStt(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account, of the matching type."""
    model: str


class AgentChangesTts(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account, of the matching type."""
    model: str
    voice: NotRequired[str | None]
    """Defaults to the voice of the service."""


class AgentChangesTurnTaking(TypedDict):
    patience: NotRequired[Literal["low", "medium", "high"]]
    """How long the agent waits when the user pauses in the middle of a sentence."""
    interruptibility: NotRequired[Literal["low", "medium", "high"]]
    """How easily speech of the user interrupts the agent."""


class AgentChangesEmbeddings(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account, of the matching type."""
    model: str


class AgentChangesLimitsCall(TypedDict):
    model_tokens: NotRequired[int | None]
    """Tokens of the language model, estimated."""
    speech_characters: NotRequired[int | None]
    """Characters that the agent speaks."""
    seconds: NotRequired[int | None]
    """Length of calls."""


class AgentChangesLimitsDay(TypedDict):
    model_tokens: NotRequired[int | None]
    """Tokens of the language model, estimated."""
    speech_characters: NotRequired[int | None]
    """Characters that the agent speaks."""
    seconds: NotRequired[int | None]
    """Length of calls."""


class AgentChangesLimitsLinkDay(TypedDict):
    model_tokens: NotRequired[int | None]
    """Tokens of the language model, estimated."""
    speech_characters: NotRequired[int | None]
    """Characters that the agent speaks."""
    seconds: NotRequired[int | None]
    """Length of calls."""


class AgentChangesLimits(TypedDict):
    call: NotRequired[AgentChangesLimitsCall | None]
    """One call of the agent."""
    day: NotRequired[AgentChangesLimitsDay | None]
    """All calls of the agent in a day."""
    link_day: NotRequired[AgentChangesLimitsLinkDay | None]
    """Calls that visitors open by the link of the agent in a day: from its room page or
    embedded, public or private."""
    texts_per_ten_minutes: NotRequired[int | None]
    """Texts that one visitor may type in ten minutes."""


class AgentChangesAppearance(TypedDict):
    accent_color: NotRequired[str | None]
    """Colour of buttons, as `#rrggbb`. Their text is black or white, whichever can be read
    better."""
    logo: NotRequired[str | None]
    """A PNG, JPEG or WebP picture as data URL: at most 64 KiB, and 1024 pixels a side.
    Shown on white."""
    welcome_text: NotRequired[str | None]
    """Plain text, shown before a call in place of the usual invitation."""


class AgentChanges(TypedDict):
    """Omitted fields keep their values; null restores the default."""

    name: NotRequired[str]
    avatar_id: NotRequired[str]
    """The id or an alias of an avatar."""
    system_prompt: NotRequired[str | None]
    """Instructions for the language model."""
    language: NotRequired[Literal["ar", "bn", "bg", "zh", "cs", "da", "nl", "en", "en-AU", "en-GB", "en-US", "fi", "fr", "fr-CA", "fr-FR", "de", "el", "hi", "hu", "id", "it", "ja", "kk", "ko", "ms", "no", "pl", "pt", "pt-BR", "pt-PT", "ro", "ru", "sk", "es", "sv", "tr", "uk", "ur", "vi"] | None]
    """Language that the agent speaks and understands. Its abilities list those that its
    voice speaks here. Default: en."""
    greeting: NotRequired[str | None]
    """Spoken when a call starts."""
    max_session_length_minutes: NotRequired[float | None]
    """Time limit of a call. Default: 30."""
    capabilities: NotRequired[list[AgentChangesCapabilitiesItemWebcamVision | AgentChangesCapabilitiesItemWakeupMode] | None]
    """Each type at most once. `wakeup_mode`: the agent answers what is spoken only after
    its name or one of the triggers, and for a minute after each answer.
    `webcam_vision`: while the user shows the camera, a language model that sees gets
    the newest picture with each question. Pictures are not stored."""
    llm: NotRequired[AgentChangesLlmOpenai | AgentChangesLlmOpenaiCompatible | None]
    """Language model. Defaults to the one configured for the service."""
    stt: NotRequired[AgentChangesStt | None]
    """Speech to text. Defaults to the one configured for the service or its agent worker."""
    tts: NotRequired[AgentChangesTts | None]
    """Text to speech. Defaults to the one configured for the service or its agent worker."""
    voice: NotRequired[Literal["nora", "ines", "theo", "samuel"] | None]
    """Built-in voice, for an agent without `tts`. See the list of voices. Default: the one
    that fits the avatar."""
    turn_taking: NotRequired[AgentChangesTurnTaking | None]
    """How the agent takes turns with the user. Default of both: `medium`."""
    video: NotRequired[VideoRequest | None]
    """The picture of its calls, unless a call asks for another. Without a size, the room
    page shows the shape of the visitor’s screen."""
    embeddings: NotRequired[AgentChangesEmbeddings | None]
    """Embeddings, to find passages of knowledge files by meaning as well as by words.
    Defaults to those configured for the service."""
    knowledge_files: NotRequired[list[str] | None]
    """Ids of knowledge files of the account."""
    allowed_origins: NotRequired[list[str] | None]
    """Origins of the web pages that may show the agent, by `<troupe-agent>` or in a frame.
    `https://*.example.org` stands for all its subdomains. Default: none, so only its
    room page can."""
    limits: NotRequired[AgentChangesLimits | None]
    """Budgets of the agent’s calls. When a budget is used up, the agent says so, and the
    call ends with `budget_reached`. What is omitted or null has its default. Days are
    UTC."""
    appearance: NotRequired[AgentChangesAppearance | None]
    """How the room page and `<troupe-agent>` look. In an update, omitted fields keep their
    values. Null restores a default."""


class AgentRequestCapabilitiesItemWebcamVision(TypedDict):
    type: Literal["webcam_vision"]


class AgentRequestCapabilitiesItemWakeupMode(TypedDict):
    type: Literal["wakeup_mode"]
    triggers: list[str]
    """Words or phrases, case-insensitive."""


class AgentRequestLlmOpenai(TypedDict):
    type: Literal["openai"]


class AgentRequestLlmOpenaiCompatible(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account."""
    model: str
    temperature: float | str
    """A number, or a number as text."""


class AgentRequestStt(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account, of the matching type."""
    model: str


class AgentRequestTts(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account, of the matching type."""
    model: str
    voice: NotRequired[str | None]
    """Defaults to the voice of the service."""


class AgentRequestTurnTaking(TypedDict):
    patience: NotRequired[Literal["low", "medium", "high"]]
    """How long the agent waits when the user pauses in the middle of a sentence."""
    interruptibility: NotRequired[Literal["low", "medium", "high"]]
    """How easily speech of the user interrupts the agent."""


class AgentRequestEmbeddings(TypedDict):
    type: Literal["openai_compatible"]
    api_id: str
    """An external API of the account, of the matching type."""
    model: str


class AgentRequestLimitsCall(TypedDict):
    model_tokens: NotRequired[int | None]
    """Tokens of the language model, estimated."""
    speech_characters: NotRequired[int | None]
    """Characters that the agent speaks."""
    seconds: NotRequired[int | None]
    """Length of calls."""


class AgentRequestLimitsDay(TypedDict):
    model_tokens: NotRequired[int | None]
    """Tokens of the language model, estimated."""
    speech_characters: NotRequired[int | None]
    """Characters that the agent speaks."""
    seconds: NotRequired[int | None]
    """Length of calls."""


class AgentRequestLimitsLinkDay(TypedDict):
    model_tokens: NotRequired[int | None]
    """Tokens of the language model, estimated."""
    speech_characters: NotRequired[int | None]
    """Characters that the agent speaks."""
    seconds: NotRequired[int | None]
    """Length of calls."""


class AgentRequestLimits(TypedDict):
    call: NotRequired[AgentRequestLimitsCall | None]
    """One call of the agent."""
    day: NotRequired[AgentRequestLimitsDay | None]
    """All calls of the agent in a day."""
    link_day: NotRequired[AgentRequestLimitsLinkDay | None]
    """Calls that visitors open by the link of the agent in a day: from its room page or
    embedded, public or private."""
    texts_per_ten_minutes: NotRequired[int | None]
    """Texts that one visitor may type in ten minutes."""


class AgentRequestAppearance(TypedDict):
    accent_color: NotRequired[str | None]
    """Colour of buttons, as `#rrggbb`. Their text is black or white, whichever can be read
    better."""
    logo: NotRequired[str | None]
    """A PNG, JPEG or WebP picture as data URL: at most 64 KiB, and 1024 pixels a side.
    Shown on white."""
    welcome_text: NotRequired[str | None]
    """Plain text, shown before a call in place of the usual invitation."""


class AgentRequest(TypedDict):
    name: str
    avatar_id: str
    """The id or an alias of an avatar."""
    system_prompt: NotRequired[str | None]
    """Instructions for the language model."""
    language: NotRequired[Literal["ar", "bn", "bg", "zh", "cs", "da", "nl", "en", "en-AU", "en-GB", "en-US", "fi", "fr", "fr-CA", "fr-FR", "de", "el", "hi", "hu", "id", "it", "ja", "kk", "ko", "ms", "no", "pl", "pt", "pt-BR", "pt-PT", "ro", "ru", "sk", "es", "sv", "tr", "uk", "ur", "vi"] | None]
    """Language that the agent speaks and understands. Its abilities list those that its
    voice speaks here. Default: en."""
    greeting: NotRequired[str | None]
    """Spoken when a call starts."""
    max_session_length_minutes: NotRequired[float | None]
    """Time limit of a call. Default: 30."""
    capabilities: NotRequired[list[AgentRequestCapabilitiesItemWebcamVision | AgentRequestCapabilitiesItemWakeupMode] | None]
    """Each type at most once. `wakeup_mode`: the agent answers what is spoken only after
    its name or one of the triggers, and for a minute after each answer.
    `webcam_vision`: while the user shows the camera, a language model that sees gets
    the newest picture with each question. Pictures are not stored."""
    llm: NotRequired[AgentRequestLlmOpenai | AgentRequestLlmOpenaiCompatible | None]
    """Language model. Defaults to the one configured for the service."""
    stt: NotRequired[AgentRequestStt | None]
    """Speech to text. Defaults to the one configured for the service or its agent worker."""
    tts: NotRequired[AgentRequestTts | None]
    """Text to speech. Defaults to the one configured for the service or its agent worker."""
    voice: NotRequired[Literal["nora", "ines", "theo", "samuel"] | None]
    """Built-in voice, for an agent without `tts`. See the list of voices. Default: the one
    that fits the avatar."""
    turn_taking: NotRequired[AgentRequestTurnTaking | None]
    """How the agent takes turns with the user. Default of both: `medium`."""
    video: NotRequired[VideoRequest | None]
    """The picture of its calls, unless a call asks for another. Without a size, the room
    page shows the shape of the visitor’s screen."""
    embeddings: NotRequired[AgentRequestEmbeddings | None]
    """Embeddings, to find passages of knowledge files by meaning as well as by words.
    Defaults to those configured for the service."""
    knowledge_files: NotRequired[list[str] | None]
    """Ids of knowledge files of the account."""
    allowed_origins: NotRequired[list[str] | None]
    """Origins of the web pages that may show the agent, by `<troupe-agent>` or in a frame.
    `https://*.example.org` stands for all its subdomains. Default: none, so only its
    room page can."""
    limits: NotRequired[AgentRequestLimits | None]
    """Budgets of the agent’s calls. When a budget is used up, the agent says so, and the
    call ends with `budget_reached`. What is omitted or null has its default. Days are
    UTC."""
    appearance: NotRequired[AgentRequestAppearance | None]
    """How the room page and `<troupe-agent>` look. In an update, omitted fields keep their
    values. Null restores a default."""


class ApiKey(TypedDict):
    id: str
    name: str
    scope: Literal["all", "operator"]
    """`all`: everything the account may do. `operator`: fleet and metrics only."""
    scopes: list[Literal["account:read", "account:write", "agents:read", "agents:write", "api_keys:read", "api_keys:write", "audit_log:read", "audit_log:write", "avatars:read", "avatars:write", "calls:read", "calls:write", "export:read", "export:write", "external_apis:read", "external_apis:write", "fleet:read", "fleet:write", "knowledge_files:read", "knowledge_files:write", "people:read", "people:write", "sessions:read", "sessions:write", "usage:read", "usage:write", "webhooks:read", "webhooks:write"]] | None
    """Limits the key to some resources: `read` permits GET, `write` everything. Null: all
    resources of its `scope`. Vendor adapters need `sessions:write`."""
    expires_at: str | None
    """The key is refused from then on. Null: never."""
    allowed_networks: list[str] | None
    """The only networks that the key may be used from, as CIDR blocks. Null: any."""
    created_at: str
    last_used_at: str | None
    """Rounded to the minute."""
    last_used_address: str | None
    """Where it was used then."""
    revoked_at: str | None


class ApiKeyChanges(TypedDict):
    name: NotRequired[str]
    scopes: NotRequired[list[Literal["account:read", "account:write", "agents:read", "agents:write", "api_keys:read", "api_keys:write", "audit_log:read", "audit_log:write", "avatars:read", "avatars:write", "calls:read", "calls:write", "export:read", "export:write", "external_apis:read", "external_apis:write", "fleet:read", "fleet:write", "knowledge_files:read", "knowledge_files:write", "people:read", "people:write", "sessions:read", "sessions:write", "usage:read", "usage:write", "webhooks:read", "webhooks:write"]] | None]
    """Limits the key to some resources: `read` permits GET, `write` everything. Null: all
    resources of its `scope`. Vendor adapters need `sessions:write`."""
    expires_at: NotRequired[str | None]
    """The key is refused from then on. Null: never."""
    allowed_networks: NotRequired[list[str] | None]
    """The only networks that the key may be used from, as CIDR blocks. Null: any."""


class AuditEntryActor(TypedDict):
    type: Literal["key", "admin", "person", "page", "command", "service"]
    """`key`: an API key. `admin`: an administrator. `page`: a page of the service.
    `command`: a script on the machine. `service`: the service itself."""
    id: str | None
    """Null for the shared admin password."""
    name: str | None
    """At the time of the change."""


class AuditEntry(TypedDict):
    id: str
    at: str
    account_id: str | None
    """Null: a change of the installation."""
    actor: AuditEntryActor
    address: str | None
    """IP address of the request."""
    action: Literal["account.created", "account.deleted", "account.exported", "account.updated", "account_domain.created", "account_domain.deleted", "admin.created", "admin.deleted", "admin.signed_in", "admin.updated", "agent.created", "agent.deleted", "agent.made_private", "agent.made_public", "agent.updated", "api_key.created", "api_key.revoked", "api_key.updated", "avatar.created", "avatar.deleted", "call.deleted", "call.ended", "canary.ended", "canary.started", "canary.stopped", "external_api.created", "external_api.deleted", "external_api.updated", "fleet.rebalanced", "fleet.repaired", "invitation.created", "invitation.deleted", "knowledge_file.created", "knowledge_file.deleted", "knowledge_file.submitted", "overflow.removed", "overflow.set", "person.created", "person.deleted", "person.link_created", "person.signed_in", "person.signed_out", "person.updated", "secret_key.removed", "secret_key.rotated", "session.deleted", "session.ended", "speech_model.installed", "webhook.created", "webhook.deleted", "webhook.secret_rotated", "webhook.updated", "worker.cordoned", "worker.drained", "worker.log_level_set", "worker.resumed", "worker_token.created", "worker_token.revoked"]
    target_id: str | None
    """The changed resource."""
    before: dict[str, Any] | None
    """Fields before the change; of an update only those that changed."""
    after: dict[str, Any] | None
    """Fields after the change, without secrets. Long texts are cut."""


class AvailableKnowledgeFile(TypedDict):
    id: str
    name: str
    format: Literal["text", "pdf"]
    status: Literal["available"]
    content: str
    """The extracted text."""
    warning: NotRequired[str]
    """Says that only a part of a PDF could be read. In the answer to its submit."""
    created_at: str


class Avatar(TypedDict):
    """Your own avatars also have `progress` and the fields after it."""

    id: str
    name: str
    status: Literal["building", "ready", "failed"]
    """Sessions, agents and calls can use the avatar once it is `ready`."""
    picture: str
    """Address of a still picture; needs no key. Your own avatars have it once they are
    ready."""
    voice: str | None
    """Built-in voice that fits the face: the voice of its agents unless they have another.
    Null: the first of the list of voices."""
    progress: NotRequired[int]
    """Build progress in percent."""
    reason: NotRequired[Literal["not_a_picture", "damaged", "bitmap", "jpeg_2000", "jpeg_xl", "jpeg_xr", "svg", "icon", "raw_photo", "layered", "pdf", "video", "web_page", "archive", "other_picture", "too_small", "too_large", "too_dark", "too_bright", "low_contrast", "blurred", "no_face", "two_faces", "face_too_small", "turned_away", "covered", "bad_background", "took_too_long", "build_failed"]]
    """Why the build failed."""
    advice: NotRequired[str]
    """How to fix the reason."""
    background: NotRequired[str]
    """Background behind the person. `picture`: the uploaded background picture."""
    consent: NotRequired[str]
    """The consent statement of the request."""
    created_at: NotRequired[str]


class AvatarReadyEventData(TypedDict):
    id: str
    name: str


class AvatarReadyEvent(TypedDict):
    type: Literal["avatar.ready"]
    timestamp: str
    """When it happened."""
    data: AvatarReadyEventData


class AvatarRequest(TypedDict):
    name: str
    picture: FileContent
    """A file: JPEG, PNG, WebP, HEIC, AVIF, GIF or TIFF, at most 16 MiB. One face, seen
    from the front, in good light."""
    consent: str
    """Statement, in your own words, that the person in the picture consents. Stored with
    the avatar, the time and the API key."""
    background: NotRequired[str | FileContent]
    """Background behind the person: `blur`, a colour as `#rrggbb`, or a picture, cropped
    to its centre."""


class BotroomOpenedSessionRoom(TypedDict):
    """The new room that shows the face of your bot, if the request named one."""

    url: str
    name: str
    viewer_token: str
    """For the viewer."""


class BotroomOpenedSession(TypedDict):
    id: str
    transport: Literal["botroom"]
    url: str
    """The room that the video bot connects to (secure websocket URL), or the bot that the
    avatar connects to."""
    avatar_id: str
    call_id: NotRequired[str]
    """The call that it belongs to."""
    status: SessionStatus
    created_at: str
    waited_ms: NotRequired[int]
    """Milliseconds that the request waited for a free slot of a worker."""
    end_reason: NotRequired[Literal["agent_left", "room_empty", "room_closed", "room_refused", "removed", "replaced", "ended_by_client", "time_limit", "budget_reached", "never_started", "token_expired", "worker_lost", "service_stopped"]]
    """Present when completed."""
    end_detail: NotRequired[str]
    """More about the end reason, for people: why the room could not be joined."""
    video: Video
    max_session_length_minutes: NotRequired[float]
    metadata: dict[str, str]
    token: NotRequired[str]
    """For your bot, to connect to `url` within minutes. Absent if the request named a bot."""
    room: NotRequired[BotroomOpenedSessionRoom]
    """The new room that shows the face of your bot, if the request named one."""


class BotroomSession(TypedDict):
    id: str
    transport: Literal["botroom"]
    url: str
    """The room that the video bot connects to (secure websocket URL), or the bot that the
    avatar connects to."""
    avatar_id: str
    call_id: NotRequired[str]
    """The call that it belongs to."""
    status: SessionStatus
    created_at: str
    waited_ms: NotRequired[int]
    """Milliseconds that the request waited for a free slot of a worker."""
    end_reason: NotRequired[Literal["agent_left", "room_empty", "room_closed", "room_refused", "removed", "replaced", "ended_by_client", "time_limit", "budget_reached", "never_started", "token_expired", "worker_lost", "service_stopped"]]
    """Present when completed."""
    end_detail: NotRequired[str]
    """More about the end reason, for people: why the room could not be joined."""
    video: Video
    max_session_length_minutes: NotRequired[float]
    metadata: dict[str, str]


class BotroomToken(TypedDict):
    url: str
    """Address of the botroom."""
    token: str


class Call(TypedDict):
    """Without credentials; only the answer that opens the call has them."""

    id: str
    agent_id: str
    """May be the id of a deleted agent."""
    session_id: str
    """The session of its avatar."""
    status: SessionStatus
    user_name: str | None
    user_email: str | None
    tags: dict[str, str]
    started_at: str
    """Before the avatar joins: when the call was created."""
    ended_at: str | None
    """Null while the call is open."""
    evaluation: CallEvaluation | None
    """Null until a few seconds after the call ends."""
    rating: Literal["good", "bad"] | None
    """The rating by the user. Null without one."""
    rating_comment: str | None
    """The comment of the user on the rating."""


class CallEndedEventData(TypedDict):
    id: str
    agent_id: str
    session_id: str
    user_name: str | None
    user_email: str | None
    tags: dict[str, str]
    started_at: str | None
    ended_at: str | None


class CallEndedEventCallData(TypedDict):
    userName: str
    agentId: str


class CallEndedEventMessagesItem(TypedDict):
    sender: Literal["ai", "user"]
    message: str
    sent_at: str


class CallEndedEvent(TypedDict):
    type: Literal["call.ended"]
    timestamp: str
    """When it happened."""
    data: CallEndedEventData
    event_type: Literal["call_ended"]
    call_id: str
    call_data: CallEndedEventCallData
    evaluation: CallEvaluation
    messages: list[CallEndedEventMessagesItem]
    user_name: str


class CallEvaluation(TypedDict):
    topic: str
    """Topic of the call; empty if the user said nothing."""
    user_sentiment: Literal["positive", "neutral", "negative"]
    """The user's sentiment."""
    duration_minutes: float
    messages_count: int
    evaluated_by: Literal["model", "rules"]
    """`model`: by the agent's language model. `rules`: no model was available or it gave
    no answer; by the user's most frequent words and a short list of positive and
    negative words."""


class CallMessagesItemLatency(TypedDict):
    """Of an answer, if measured: milliseconds from the end of the user's speech. Null:
    unknown."""

    transcript_ms: float | None
    """Until the transcript of the user's speech was ready."""
    first_token_ms: float | None
    """Until the first token of the answer."""
    first_audio_ms: float | None
    """Until the first synthesized audio."""
    first_frame_ms: float | None
    """Until the first frame of the answer was shown."""


class CallMessagesItem(TypedDict):
    message: str
    sent_at: str
    sender: Literal["ai", "user"]
    latency: NotRequired[CallMessagesItemLatency]
    """Of an answer, if measured: milliseconds from the end of the user's speech. Null:
    unknown."""


CallMessages: TypeAlias = "list[CallMessagesItem]"


class CallRatedEventData(TypedDict):
    id: str
    agent_id: str
    session_id: str
    user_name: str | None
    user_email: str | None
    tags: dict[str, str]
    started_at: str | None
    ended_at: str | None
    rating: Literal["good", "bad"]
    """The rating by the user."""
    rating_comment: str | None
    """The comment of the user on the rating."""


class CallRatedEvent(TypedDict):
    type: Literal["call.rated"]
    timestamp: str
    """When it happened."""
    data: CallRatedEventData


class CallRequest(TypedDict):
    agent_id: str
    user_name: NotRequired[str]
    user_email: NotRequired[str]
    tags: NotRequired[dict[str, str]]
    """Custom data, stored and returned unchanged."""
    video: NotRequired[VideoRequest]
    line_ticket: NotRequired[str | None]
    """Keeps a place in line while all slots are taken. Send null at first. A 503 that
    waiting can cure then has `line_ticket`, to be sent with the next try, and
    `line_position`, which is 1 for the first in line. The service holds a place for 15
    seconds after a try, and gives a new one for an unknown ticket. Requests without the
    field get no place, and do not overtake those that have one."""


class CallStartedEventData(TypedDict):
    id: str
    agent_id: str
    session_id: str
    user_name: str | None
    user_email: str | None
    tags: dict[str, str]
    started_at: str | None
    ended_at: str | None


class CallStartedEvent(TypedDict):
    type: Literal["call.started"]
    timestamp: str
    """When it happened."""
    data: CallStartedEventData


class CallToken(TypedDict):
    mediaserver_url: str
    """The media server that the user joins."""
    mediaserver_token: str
    """Room token (JWT) that lets the user publish, subscribe and send data; valid for ten
    minutes. Secret."""
    livekit_url: str
    """Same as mediaserver_url."""
    livekit_token: str
    """Same as mediaserver_token."""


class CanaryCanary(TypedDict):
    sessions: int
    """Sessions that began, or never did."""
    failures: int
    """Of these: declined by their first worker, never started, or lost their worker."""


class CanaryStable(TypedDict):
    sessions: int
    """Sessions that began, or never did."""
    failures: int
    """Of these: declined by their first worker, never started, or lost their worker."""


class Canary(TypedDict):
    pool: str
    stable_pool: str
    share_percent: int
    """Percentage of the new sessions of `stable_pool` that try `pool` first."""
    started_at: str
    stopped_at: str | None
    """When it stopped because more of its sessions failed; else null."""
    canary: CanaryCanary
    stable: CanaryStable


class CanaryRequest(TypedDict):
    pool: str
    """WORKER_POOL of the workers on trial."""
    stable_pool: NotRequired[str]
    """The pool whose sessions try the other one. Default: `default`."""
    share_percent: int
    """Percentage of the new sessions of `stable_pool` that try `pool` first."""


class ContactSheet(TypedDict):
    picture: str
    """A JPEG as data URL: tiles row by row, each the face from near."""
    tile_side: int
    """Side of a square tile, in pixels."""
    columns: int
    """Tiles in a row."""
    tiles: list[str]
    """Name of each tile, in order: rest, open, wide_open, spread, rounded, flared,
    pressed, teeth_on_lip, tongue, blink, look_left, look_right, brows, warm, concerned,
    amused. Newer workers may send more."""


class DeletionReceiptDeleted(TypedDict):
    """Numbers of deleted things, by kind."""

    agents: NotRequired[int]
    api_keys: NotRequired[int]
    avatars: NotRequired[int]
    calls: NotRequired[int]
    events: NotRequired[int]
    external_apis: NotRequired[int]
    idempotent_replies: NotRequired[int]
    knowledge_files: NotRequired[int]
    messages: NotRequired[int]
    sessions: NotRequired[int]
    timelines: NotRequired[int]
    webhooks: NotRequired[int]


class DeletionReceipt(TypedDict):
    id: str
    """The deleted resource."""
    receipt_id: str
    """Its entry in the audit log."""
    deleted_at: str
    deleted: DeletionReceiptDeleted
    """Numbers of deleted things, by kind."""


class ExternalApi(TypedDict):
    """Without the API key."""

    id: str
    type: Literal["openai_compatible_llm", "openai_compatible_stt", "openai_compatible_tts", "openai_compatible_embeddings"]
    """Language model, speech to text, text to speech, or embeddings. Agents refer to each
    in the matching field."""
    name: str
    url: str
    created_at: str


class ExternalApiChanges(TypedDict):
    """Omitted fields keep their values."""

    type: NotRequired[Literal["openai_compatible_llm", "openai_compatible_stt", "openai_compatible_tts", "openai_compatible_embeddings"]]
    """Language model, speech to text, text to speech, or embeddings. Agents refer to each
    in the matching field."""
    name: NotRequired[str]
    url: NotRequired[str]
    """Base address of the API, without `/chat/completions`, `/audio/transcriptions`,
    `/audio/speech` or `/embeddings`. Private network addresses are refused unless the
    service allows them."""
    api_key: NotRequired[str]
    """Sent to the API as a bearer token. Encrypted at rest and never returned."""


class ExternalApiCheck(TypedDict):
    ok: bool
    status: int | None
    """HTTP status of its answer; null without an answer."""
    detail: str
    """What is wrong."""
    took_ms: int


class ExternalApiCheckRequest(TypedDict):
    model: NotRequired[str]
    """Defaults to OpenAI's default model."""
    voice: NotRequired[str]
    """For text to speech."""


class ExternalApiRequest(TypedDict):
    type: Literal["openai_compatible_llm", "openai_compatible_stt", "openai_compatible_tts", "openai_compatible_embeddings"]
    """Language model, speech to text, text to speech, or embeddings. Agents refer to each
    in the matching field."""
    name: str
    url: str
    """Base address of the API, without `/chat/completions`, `/audio/transcriptions`,
    `/audio/speech` or `/embeddings`. Private network addresses are refused unless the
    service allows them."""
    api_key: str
    """Sent to the API as a bearer token. Encrypted at rest and never returned."""


class FleetAlertsDataItem(TypedDict):
    name: str
    """Name of the rule in `deploy/prometheus`."""
    state: Literal["firing", "pending"]
    """`pending`: its condition does not hold long enough yet."""
    severity: Literal["critical", "warning"]
    summary: str
    about: str | None
    """The part of the service; null: the whole."""
    since: str
    """When this control plane first saw its condition."""
    for_minutes: int
    """How long the condition must hold until it fires."""
    advice: str
    """The first thing to do."""
    runbook: str
    """Path of the runbook page."""


class FleetAlertsNotJudgedItem(TypedDict):
    name: str
    reason: str


class FleetAlerts(TypedDict):
    data: list[FleetAlertsDataItem]
    """The firing ones first, of these the critical ones."""
    judged: list[str]
    """Names of the rules that are judged here."""
    not_judged: list[FleetAlertsNotJudgedItem]
    """Rules that only Prometheus can judge."""


class FleetAuditDifferencesItem(TypedDict):
    kind: Literal["lease_without_session", "session_without_lease", "session_without_row", "session_placed_elsewhere", "row_without_session", "session_without_worker", "session_not_performed", "performed_without_session", "session_without_room", "room_without_session"]
    """`lease_without_session`: A slot is held for a session that is not there.
    `session_without_lease`: A session is placed on a worker, and no slot is held for
    it. `session_without_row`: A session goes on that is completed in the records, or
    not in them. `session_placed_elsewhere`: The records have a newer placement of a
    session than the control plane that owns it. `row_without_session`: The records have
    a session as not completed that is not there. `session_without_worker`: A session is
    placed on a worker that is not connected. `session_not_performed`: A worker does not
    perform a session that it should. `performed_without_session`: A worker performs
    what is not placed on it. `session_without_room`: The room of a session is not open.
    `room_without_session`: A room is open whose session is over."""
    session_id: str | None
    """The session concerned."""
    worker_id: str | None
    """The worker concerned."""
    room: str | None
    """The room concerned."""
    since: str
    """When the difference was first seen."""
    repaired: bool


class FleetAudit(TypedDict):
    agrees: bool
    """True if there are no differences."""
    leases: int
    """Reserved slots."""
    sessions: int
    """Sessions running in this process."""
    rows: int
    """Sessions not completed in the database."""
    performed: int
    """Sessions that workers report as running."""
    rooms: int | None
    """Open rooms of this service; null if the media server did not answer."""
    differences: list[FleetAuditDifferencesItem]


class FleetHistoryPointsItem(TypedDict):
    at: str
    workers: float
    slots: float
    taken: float
    taken_peak: int
    waiting: float
    """Requests for a slot."""
    waiting_peak: int
    failovers: int
    """Sessions that lost their worker."""
    handovers: int
    """Sessions that moved on purpose."""


class FleetHistory(TypedDict):
    step_seconds: int
    """Length of each step. Those without data are left out."""
    points: list[FleetHistoryPointsItem]


class FleetPressureAgents(TypedDict):
    """The same figures for agent workers, which run the conversations of managed agents."""

    wanted_workers: int
    """Number of workers needed."""
    free_slots: int
    """Free slots."""
    warm_slots: int
    """Free slots to keep in each pool (WARM_SLOTS)."""
    queue_depth: int
    """Requests waiting for a slot."""
    queue_oldest_seconds: float
    """Age of the oldest waiting request."""


class FleetPressurePoolsItemAgents(TypedDict):
    """The same figures for agent workers, which run the conversations of managed agents."""

    wanted_workers: int
    """Number of workers needed."""
    free_slots: int
    """Free slots."""
    warm_slots: int
    """Free slots to keep in each pool (WARM_SLOTS)."""
    queue_depth: int
    """Requests waiting for a slot."""
    queue_oldest_seconds: float
    """Age of the oldest waiting request."""


class FleetPressurePoolsItem(TypedDict):
    pool: str
    wanted_workers: int
    """Number of workers needed."""
    free_slots: int
    """Free slots."""
    warm_slots: int
    """Free slots to keep in each pool (WARM_SLOTS)."""
    queue_depth: int
    """Requests waiting for a slot."""
    queue_oldest_seconds: float
    """Age of the oldest waiting request."""
    agents: FleetPressurePoolsItemAgents
    """The same figures for agent workers, which run the conversations of managed agents."""


class FleetPressure(TypedDict):
    wanted_workers: int
    """Number of workers needed."""
    free_slots: int
    """Free slots."""
    warm_slots: int
    """Free slots to keep in each pool (WARM_SLOTS)."""
    queue_depth: int
    """Requests waiting for a slot."""
    queue_oldest_seconds: float
    """Age of the oldest waiting request."""
    agents: FleetPressureAgents
    """The same figures for agent workers, which run the conversations of managed agents."""
    pools: list[FleetPressurePoolsItem]
    """Figures per pool: every pool with a worker or a waiting request, or the requested
    pool. The top-level fields are their sums."""


class Invitation(TypedDict):
    id: str
    role: Literal["owner", "builder", "viewer"] | None
    is_operator: bool
    """Operates the installation."""
    name: str | None
    created_at: str
    expires_at: str


class InvitationRequest(TypedDict):
    role: Literal["owner", "builder", "viewer"]
    """`owner`: everything in the account. `builder`: everything but people, the account
    and its export. `viewer`: reads."""
    name: NotRequired[str]
    """Default: the invited person chooses."""
    expires_in_hours: NotRequired[int]


class KnowledgeFileToUpload(TypedDict):
    id: str
    name: str
    format: Literal["text", "pdf"]
    status: Literal["to-upload"]
    """Upload the chunks, then submit the file."""
    created_at: str


class KnowledgeFileAvailable(TypedDict):
    id: str
    name: str
    format: Literal["text", "pdf"]
    status: Literal["available"]
    content: str
    """The extracted text."""
    warning: NotRequired[str]
    """Says that only a part of a PDF could be read. In the answer to its submit."""
    created_at: str


KnowledgeFile: TypeAlias = "KnowledgeFileToUpload | KnowledgeFileAvailable"


class KnowledgeFileRequest(TypedDict):
    name: str
    format: Literal["text", "pdf"]
    content: NotRequired[str]
    """Text of a file with format `text`, which is then available at once. Without it,
    upload the file in chunks."""


class LinkSecret(TypedDict):
    link_secret: str
    """Signs link tokens. Shown once; keep it in your backend."""


class ListedKnowledgeFile(TypedDict):
    """Without its text."""

    id: str
    name: str
    format: Literal["text", "pdf"]
    status: Literal["to-upload", "available"]
    created_at: str


class LogLevelRequest(TypedDict):
    level: Literal["debug", "info", "warn", "error"]


class MadeApiKey(TypedDict):
    id: str
    name: str
    scope: Literal["all", "operator"]
    """`all`: everything the account may do. `operator`: fleet and metrics only."""
    scopes: list[Literal["account:read", "account:write", "agents:read", "agents:write", "api_keys:read", "api_keys:write", "audit_log:read", "audit_log:write", "avatars:read", "avatars:write", "calls:read", "calls:write", "export:read", "export:write", "external_apis:read", "external_apis:write", "fleet:read", "fleet:write", "knowledge_files:read", "knowledge_files:write", "people:read", "people:write", "sessions:read", "sessions:write", "usage:read", "usage:write", "webhooks:read", "webhooks:write"]] | None
    """Limits the key to some resources: `read` permits GET, `write` everything. Null: all
    resources of its `scope`. Vendor adapters need `sessions:write`."""
    expires_at: str | None
    """The key is refused from then on. Null: never."""
    allowed_networks: list[str] | None
    """The only networks that the key may be used from, as CIDR blocks. Null: any."""
    created_at: str
    last_used_at: str | None
    """Rounded to the minute."""
    last_used_address: str | None
    """Where it was used then."""
    revoked_at: str | None
    key: str
    """Shown only once."""


class MadeInvitation(TypedDict):
    id: str
    role: Literal["owner", "builder", "viewer"] | None
    is_operator: bool
    """Operates the installation."""
    name: str | None
    created_at: str
    expires_at: str
    link: str
    """Works once. Shown only once."""


class MadeWorkerToken(TypedDict):
    id: str
    name: str
    kind: str | None
    """`avatar` or `agent`; null: workers of any kind."""
    pool: str | None
    """WORKER_POOL of its workers; null: any pool."""
    created_at: str
    last_used_at: str | None
    """Rounded to the minute."""
    revoked_at: str | None
    token: str
    """Shown only once."""


class MediaserverOpenedSessionRoom(TypedDict):
    """The new room, if the request had none."""

    url: str
    name: str
    viewer_token: str
    """For the viewer."""
    agent_token: str
    """For the voice agent."""


class MediaserverOpenedSession(TypedDict):
    id: str
    transport: Literal["mediaserver"]
    url: str
    """The media server that the avatar joins (secure websocket URL)."""
    avatar_id: str
    call_id: NotRequired[str]
    """The call that it belongs to."""
    status: SessionStatus
    created_at: str
    waited_ms: NotRequired[int]
    """Milliseconds that the request waited for a free slot of a worker."""
    end_reason: NotRequired[Literal["agent_left", "room_empty", "room_closed", "room_refused", "removed", "replaced", "ended_by_client", "time_limit", "budget_reached", "never_started", "token_expired", "worker_lost", "service_stopped"]]
    """Present when completed."""
    end_detail: NotRequired[str]
    """More about the end reason, for people: why the room could not be joined."""
    video: Video
    max_session_length_minutes: NotRequired[float]
    metadata: dict[str, str]
    room: NotRequired[MediaserverOpenedSessionRoom]
    """The new room, if the request had none."""


class MediaserverSession(TypedDict):
    id: str
    transport: Literal["mediaserver"]
    url: str
    """The media server that the avatar joins (secure websocket URL)."""
    avatar_id: str
    call_id: NotRequired[str]
    """The call that it belongs to."""
    status: SessionStatus
    created_at: str
    waited_ms: NotRequired[int]
    """Milliseconds that the request waited for a free slot of a worker."""
    end_reason: NotRequired[Literal["agent_left", "room_empty", "room_closed", "room_refused", "removed", "replaced", "ended_by_client", "time_limit", "budget_reached", "never_started", "token_expired", "worker_lost", "service_stopped"]]
    """Present when completed."""
    end_detail: NotRequired[str]
    """More about the end reason, for people: why the room could not be joined."""
    video: Video
    max_session_length_minutes: NotRequired[float]
    metadata: dict[str, str]


class MessageEventData(TypedDict):
    call_id: str
    sender: Literal["ai", "user"]
    message: str
    sent_at: str


class MessageEventCallData(TypedDict):
    userName: str
    agentId: str


class MessageEventMessage(TypedDict):
    sender: Literal["ai", "user"]
    message: str
    sent_at: str


class MessageEvent(TypedDict):
    type: Literal["message"]
    timestamp: str
    """When it happened."""
    data: MessageEventData
    event_type: Literal["message"]
    call_id: str
    call_data: MessageEventCallData
    message: MessageEventMessage


class OpenedCall(TypedDict):
    id: str
    agent_id: str
    """May be the id of a deleted agent."""
    session_id: str
    """The session of its avatar."""
    status: SessionStatus
    user_name: str | None
    user_email: str | None
    tags: dict[str, str]
    started_at: str
    """Before the avatar joins: when the call was created."""
    ended_at: str | None
    """Null while the call is open."""
    evaluation: CallEvaluation | None
    """Null until a few seconds after the call ends."""
    rating: Literal["good", "bad"] | None
    """The rating by the user. Null without one."""
    rating_comment: str | None
    """The comment of the user on the rating."""
    mediaserver_url: str
    """The media server that the user joins."""
    mediaserver_token: str
    """Room token (JWT) that lets the user publish, subscribe and send data; valid for ten
    minutes. Secret."""
    livekit_url: str
    """Same as mediaserver_url."""
    livekit_token: str
    """Same as mediaserver_token."""


OpenedSession: TypeAlias = "MediaserverOpenedSession | BotroomOpenedSession"


class OutsideSession(TypedDict):
    session_id: str
    """The session here."""
    outside_id: str | None
    """The session there; null if it may not exist."""
    state: Literal["reserved", "creating", "waiting", "showing", "ending", "closed"]
    reserved_at: str
    end_reason: str | None
    """Why it ended there."""
    minutes: float
    cost: float
    """While it is open, the most that it may cost."""


class OutsideSessionList(TypedDict):
    data: list[OutsideSession]


class Overflow(TypedDict):
    """Without the API key."""

    pool: str
    url: str
    """Base address of the outside service, without `/v1`. Private networks, and addresses
    without TLS, are refused unless this service allows them."""
    price_per_minute: float
    """Price of a minute in the currency of the service, with up to six decimals. Sessions
    are charged by the millisecond."""
    ceiling: float
    """The most that all its sessions of a period may cost. Open sessions count with the
    most that they may cost, so it is never exceeded."""
    period: Literal["day", "month"]
    """Period of the ceiling, in UTC. A session counts in the period in which it was
    created."""
    max_sessions: int
    """Sessions that it performs at the same time. 0: it gets no new ones."""
    max_minutes: int
    """Longest session there. A session that goes on needs another slot then."""
    avatars: dict[str, str]
    """Ids of avatars there, by the ids here. Others have the same id there; custom avatars
    overflow only if they are named."""
    state: Literal["ready", "full", "ceiling", "resting"]
    """`full`: it has `max_sessions`. `ceiling`: another session could exceed the ceiling.
    `resting`: a request failed a moment ago."""
    problem: str | None
    """Why the last request of this control plane failed; null if it succeeded."""
    sessions: int
    """Open sessions there."""
    spent: float
    """Cost of the sessions of this period that have ended."""
    reserved: float
    """The most that its open sessions may cost."""
    minutes: float
    """Length of the ended sessions."""
    resets_at: str
    """End of the period."""


class OverflowList(TypedDict):
    data: list[Overflow]


class OverflowRequest(TypedDict):
    pool: NotRequired[str]
    """WORKER_POOL of the workers. Default: `default`."""
    url: str
    """Base address of the outside service, without `/v1`. Private networks, and addresses
    without TLS, are refused unless this service allows them."""
    price_per_minute: float
    """Price of a minute in the currency of the service, with up to six decimals. Sessions
    are charged by the millisecond."""
    ceiling: float
    """The most that all its sessions of a period may cost. Open sessions count with the
    most that they may cost, so it is never exceeded."""
    period: Literal["day", "month"]
    """Period of the ceiling, in UTC. A session counts in the period in which it was
    created."""
    max_sessions: int
    """Sessions that it performs at the same time. 0: it gets no new ones."""
    max_minutes: NotRequired[int]
    """Longest session there. A session that goes on needs another slot then."""
    api_key: NotRequired[str]
    """Sent to the outside service as `x-api-key`. Encrypted at rest and never returned.
    Default: the key stays. A new origin in `url` needs it again."""
    avatars: NotRequired[dict[str, str]]
    """Ids of avatars there, by the ids here. Others have the same id there; custom avatars
    overflow only if they are named."""


class OwnAccountRetentionDays(TypedDict):
    calls: NotRequired[int]
    deliveries: NotRequired[int]
    sessions: NotRequired[int]
    timelines: NotRequired[int]
    transcripts: NotRequired[int]


class OwnAccountEffectiveRetentionDays(TypedDict):
    """What holds, with the limits of the service. null: kept until you delete it."""

    calls: int | None
    deliveries: int | None
    sessions: int | None
    timelines: int | None
    transcripts: int | None


class OwnAccount(TypedDict):
    id: str
    name: str
    plan: Literal["free", "creator", "growth", "scale", "unlimited"]
    retention_days: OwnAccountRetentionDays | None
    """Days after which data is deleted, by kind. The shorter of these and RETENTION_DAYS
    holds. null: as the installation."""
    effective_retention_days: OwnAccountEffectiveRetentionDays
    """What holds, with the limits of the service. null: kept until you delete it."""
    call_stills: bool
    """Whether stills of sessions that belong to a call may be retrieved. Of other sessions
    they always may."""
    created_at: str


class OwnAccountChangesRetentionDays(TypedDict):
    calls: NotRequired[int]
    deliveries: NotRequired[int]
    sessions: NotRequired[int]
    timelines: NotRequired[int]
    transcripts: NotRequired[int]


class OwnAccountChanges(TypedDict):
    retention_days: NotRequired[OwnAccountChangesRetentionDays | None]
    """Days after which data is deleted, by kind; at most as the service keeps it. null: as
    the service."""
    call_stills: NotRequired[bool]
    """Whether stills of sessions that belong to a call may be retrieved. Of other sessions
    they always may."""


class OwnApiKeyRequest(TypedDict):
    name: str
    scopes: NotRequired[list[Literal["account:read", "account:write", "agents:read", "agents:write", "api_keys:read", "api_keys:write", "audit_log:read", "audit_log:write", "avatars:read", "avatars:write", "calls:read", "calls:write", "export:read", "export:write", "external_apis:read", "external_apis:write", "fleet:read", "fleet:write", "knowledge_files:read", "knowledge_files:write", "people:read", "people:write", "sessions:read", "sessions:write", "usage:read", "usage:write", "webhooks:read", "webhooks:write"]] | None]
    """Limits the key to some resources: `read` permits GET, `write` everything. Null: all
    resources of its `scope`. Vendor adapters need `sessions:write`."""
    expires_at: NotRequired[str | None]
    """The key is refused from then on. Null: never."""
    allowed_networks: NotRequired[list[str] | None]
    """The only networks that the key may be used from, as CIDR blocks. Null: any."""


class Person(TypedDict):
    id: str
    name: str
    role: Literal["owner", "builder", "viewer"] | None
    is_operator: bool
    """Operates the installation."""
    has_password: bool
    created_at: str
    last_sign_in_at: str | None


class PersonChanges(TypedDict):
    role: Literal["owner", "builder", "viewer"]
    """`owner`: everything in the account. `builder`: everything but people, the account
    and its export. `viewer`: reads."""


class RebalanceDataItem(TypedDict):
    worker_id: str
    sessions: list[str]
    """Ids of the sessions, the longest first."""


class Rebalance(TypedDict):
    data: list[RebalanceDataItem]


class RebalanceRequest(TypedDict):
    worker_id: NotRequired[str]
    """Only this worker, which must be late, resting, cordoned or draining. Default: all
    late ones."""
    sessions: NotRequired[int]
    """How many sessions of each worker. Default: half of them, rounded up."""


class RequestLogDataItem(TypedDict):
    id: str
    """As in the header `x-request-id`."""
    at: str
    method: str
    path: str
    route: str
    """The path with the names of its parameters."""
    status: int
    duration_ms: float
    key_id: str | None
    person_id: str | None
    request_body: str | None
    """JSON without secrets, cut after 4 KiB. Null: no JSON."""
    response_body: str | None
    """JSON without secrets, cut after 4 KiB. Null: no JSON."""


class RequestLog(TypedDict):
    data: list[RequestLogDataItem]


class ServiceHealthDataItem(TypedDict):
    name: Literal["database", "redis", "media_server", "gateway", "workers", "disk", "certificate", "agent_jobs", "speech_recognition", "natural_voice"]
    status: Literal["ok", "warning", "failed"]
    detail: str | None
    latency_ms: float | None


class ServiceHealthMigration(TypedDict):
    own: str
    """The newest that this version knows."""
    newest: str | None
    """Newest migration in the database."""
    is_newer: bool
    """A newer version has migrated the database."""


class ServiceHealth(TypedDict):
    data: list[ServiceHealthDataItem]
    version: str
    """Version of this control plane."""
    migration: ServiceHealthMigration


Session: TypeAlias = "MediaserverSession | BotroomSession"


class SessionChanges(TypedDict):
    """Only `framing` and `background` of the video."""

    video: NotRequired[VideoRequest]
    emotion: NotRequired[str]
    """As agents name it, for example `happy`. Unknown ones are ignored."""


class SessionEndedEvent(TypedDict):
    type: Literal["session.ended"]
    timestamp: str
    """When it happened."""
    data: Session


class SessionHistoryPointsItem(TypedDict):
    at: str
    sessions: int
    """Created in this step."""
    failures: int
    """How many of them failed."""
    minutes: float
    """Total length of these sessions so far."""


class SessionHistory(TypedDict):
    step_seconds: int
    """Length of each step. Those without data are left out."""
    points: list[SessionHistoryPointsItem]


class SessionQualityChangedEventData(TypedDict):
    session_id: str
    call_id: str | None
    """Null: not the session of a call."""
    quality: Literal["full", "fewer_frames", "smaller_picture", "mouth_only", "still_picture"]
    """`full`: Every frame, of full size. `fewer_frames`: Every other frame.
    `smaller_picture`: Every other frame, of half the width and height. In botrooms the
    size stays the same. `mouth_only`: The same, and only the mouth moves.
    `still_picture`: A still face with its mouth shut, and whole sound."""


class SessionQualityChangedEvent(TypedDict):
    type: Literal["session.quality_changed"]
    timestamp: str
    """When it happened."""
    data: SessionQualityChangedEventData


class SessionRequest(TypedDict):
    avatar_id: str
    transport: NotRequired[Literal["mediaserver", "livekit", "botroom"]]
    """`mediaserver`, the default, or its alias `livekit`: the avatar joins a room of a
    media server. `botroom`: your bot connects to a new room over a websocket; or, with
    `url`, the avatar connects to your bot. See `/docs/botroom`."""
    url: NotRequired[str]
    """With `mediaserver`: address of the media server that the avatar joins (ws, wss, http
    or https). Without url and token, the session gets a new room on the built-in media
    server. With `botroom`: address of your Pipecat bot (ws or wss), whose voice gets a
    face in a new room on the built-in media server. Without it, the answer names a new
    botroom. Private networks, and addresses without TLS, are refused unless the service
    allows them."""
    token: NotRequired[str]
    """With `mediaserver`: room token (JWT) for the avatar, with roomJoin, room and
    permission to publish. With `botroom` and `url`: sent to your bot as a Bearer token."""
    video: NotRequired[VideoRequest]
    max_session_length_minutes: NotRequired[int]
    """The session ends after this time."""
    metadata: NotRequired[dict[str, str]]
    """Custom data, stored and returned unchanged."""


class SessionStartedEvent(TypedDict):
    type: Literal["session.started"]
    timestamp: str
    """When it happened."""
    data: Session


class SessionStatusToStart(TypedDict):
    type: Literal["to_start"]


class SessionStatusOngoing(TypedDict):
    type: Literal["ongoing"]
    started_at: str


class SessionStatusCompleted(TypedDict):
    type: Literal["completed"]
    started_at: str
    ended_at: str


SessionStatus: TypeAlias = "SessionStatusToStart | SessionStatusOngoing | SessionStatusCompleted"


class SignInLink(TypedDict):
    link: str
    """Works once. Shown only once."""
    expires_at: str


class TestEventData(TypedDict):
    webhook_id: str


class TestEvent(TypedDict):
    type: Literal["test"]
    timestamp: str
    """When it happened."""
    data: TestEventData
    event_type: Literal["test"]
    message: str


class TimelineDataItemCreated(TypedDict):
    """The session was created."""

    at: str
    kind: Literal["created"]


class TimelineDataItemQueued(TypedDict):
    """The session waited for a slot and got one."""

    at: str
    kind: Literal["queued"]
    waited_ms: float
    """Waiting time in milliseconds."""


class TimelineDataItemAssigned(TypedDict):
    """A worker accepted the session."""

    at: str
    kind: Literal["assigned"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    worker_id: str
    """The worker concerned."""
    took_ms: float
    """Duration in milliseconds."""


class TimelineDataItemDeclined(TypedDict):
    """A worker refused the session or did not answer in time. The next worker is asked."""

    at: str
    kind: Literal["declined"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    worker_id: str
    """The worker concerned."""
    took_ms: float
    """Duration in milliseconds."""


class TimelineDataItemUnanswered(TypedDict):
    """The connection to a worker broke before it answered."""

    at: str
    kind: Literal["unanswered"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    worker_id: str
    """The worker concerned."""
    took_ms: float
    """Duration in milliseconds."""


class TimelineDataItemGivenUp(TypedDict):
    """A worker accepted the session but cannot show the face. The next worker is asked."""

    at: str
    kind: Literal["given_up"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    worker_id: str
    """The worker concerned."""


class TimelineDataItemFirstFrame(TypedDict):
    """The face is visible in the room."""

    at: str
    kind: Literal["first_frame"]
    epoch: float
    """Number of the placement; rises with each new placement."""


class TimelineDataItemJoined(TypedDict):
    """The worker joined the room; the face is not visible yet."""

    at: str
    kind: Literal["joined"]
    epoch: float
    """Number of the placement; rises with each new placement."""


class TimelineDataItemAgentMissing(TypedDict):
    """The agent has not joined the room within ten seconds. The face waits for it."""

    at: str
    kind: Literal["agent_missing"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    detail: str
    """More about it, in a sentence."""


class TimelineDataItemSpeechReceived(TypedDict):
    """The agent started to send an utterance."""

    at: str
    kind: Literal["speech_received"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    segment: float
    """Number of the utterance; each worker counts from 1 in each session."""


class TimelineDataItemSpeechRefused(TypedDict):
    """The utterance has a format that cannot be played. It is skipped."""

    at: str
    kind: Literal["speech_refused"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    segment: float
    """Number of the utterance; each worker counts from 1 in each session."""
    detail: str
    """More about it, in a sentence."""


class TimelineDataItemSpeechStarted(TypedDict):
    """Playback of the utterance started."""

    at: str
    kind: Literal["speech_started"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    segment: float
    """Number of the utterance; each worker counts from 1 in each session."""


class TimelineDataItemSpeechFinished(TypedDict):
    """Playback of the utterance ended, and the agent was notified."""

    at: str
    kind: Literal["speech_finished"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    segment: float
    """Number of the utterance; each worker counts from 1 in each session."""
    position_seconds: float
    """Playback position in seconds."""
    interrupted: bool
    """Whether the utterance stopped before its end."""


class TimelineDataItemInterrupted(TypedDict):
    """The agent interrupted its speech."""

    at: str
    kind: Literal["interrupted"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    segments: float
    """Number of open utterances."""


class TimelineDataItemFrames(TypedDict):
    """Frame timing over the last ten seconds, or up to the end. Sent when it differs from
    the last report."""

    at: str
    kind: Literal["frames"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    frame_rate: float
    """Frames per second."""
    missed_frames: float
    """Frames that were due but not shown."""


class TimelineDataItemQuality(TypedDict):
    """The worker has too little CPU time and lowered the quality, or raised it again. Also
    sent at the start, unless it is full."""

    at: str
    kind: Literal["quality"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    quality: str
    """The quality of the picture: `full`, `fewer_frames`, `smaller_picture`, `mouth_only`,
    `still_picture`."""


class TimelineDataItemTokenRenewed(TypedDict):
    """The media server renewed the room token."""

    at: str
    kind: Literal["token_renewed"]
    epoch: float
    """Number of the placement; rises with each new placement."""


class TimelineDataItemLost(TypedDict):
    """The worker no longer performs the session. Another worker is needed."""

    at: str
    kind: Literal["lost"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    worker_id: str
    """The worker concerned."""


class TimelineDataItemMoved(TypedDict):
    """Another worker now shows the face."""

    at: str
    kind: Literal["moved"]
    epoch: float
    """Number of the placement; rises with each new placement."""
    cause: str
    """`failover`: the worker was lost. `hand_over`: the worker was about to exit."""
    from_worker_id: str
    """The previous worker."""
    to_worker_id: str
    """The new worker."""
    gap_ms: float
    """Time without a face in milliseconds: from the loss or silence of the previous worker
    to the first frame."""


class TimelineDataItemEnded(TypedDict):
    """The session ended."""

    at: str
    kind: Literal["ended"]
    reason: str
    """The end reason."""
    detail: NotRequired[str]
    """More about it, in a sentence."""


class Timeline(TypedDict):
    data: list[TimelineDataItemCreated | TimelineDataItemQueued | TimelineDataItemAssigned | TimelineDataItemDeclined | TimelineDataItemUnanswered | TimelineDataItemGivenUp | TimelineDataItemFirstFrame | TimelineDataItemJoined | TimelineDataItemAgentMissing | TimelineDataItemSpeechReceived | TimelineDataItemSpeechRefused | TimelineDataItemSpeechStarted | TimelineDataItemSpeechFinished | TimelineDataItemInterrupted | TimelineDataItemFrames | TimelineDataItemQuality | TimelineDataItemTokenRenewed | TimelineDataItemLost | TimelineDataItemMoved | TimelineDataItemEnded]
    left_out: int
    """Number of omitted entries."""


class UsagePeriod(TypedDict):
    """The current calendar month, UTC."""

    started_at: str
    ends_at: str


class Usage(TypedDict):
    plan: Literal["free", "creator", "growth", "scale", "unlimited"]
    period: UsagePeriod
    """The current calendar month, UTC."""
    minutes_used: float
    """Total of all sessions, each from its first frame to its end or until now."""
    minutes_limit: int | None
    """Minutes included in the plan. Null: no limit."""
    overage_allowed: bool
    """Whether sessions may exceed the limit."""
    sessions_live: int
    """Sessions not completed."""
    sessions_limit: int | None
    """Sessions that may be live at once. Null: no limit."""


class VideoFraming2(TypedDict):
    """Centre of the head as shares of the frame’s width and height, and height of the head
    with its hair as a share of the frame’s height."""

    x: float
    y: float
    head: float


class Video(TypedDict):
    width: int
    height: int
    fps: int
    framing: NotRequired[Literal["close", "bust", "wide"] | VideoFraming2]
    """Absent: chosen by the shape of the frame."""
    background: NotRequired[str]
    """Absent: the room of the avatar."""


class VideoRequestFraming2(TypedDict):
    """Centre of the head as shares of the frame’s width and height, and height of the head
    with its hair as a share of the frame’s height."""

    x: float
    y: float
    head: float


class VideoRequest(TypedDict):
    """The picture. Default: 512 x 512 at 25 frames per second. See `/docs/frames`."""

    preset: NotRequired[Literal["square", "landscape", "portrait"]]
    """`square`: 512 x 512, `landscape`: 1280 x 720, `portrait`: 720 x 1280"""
    width: NotRequired[int]
    """Even; with `height`, instead of `preset`."""
    height: NotRequired[int]
    """Even; with `width`, instead of `preset`."""
    fps: NotRequired[int]
    """Default: 25."""
    framing: NotRequired[Literal["close", "bust", "wide"] | VideoRequestFraming2]
    """Default: `close` in a frame that is about as wide as high, `bust` in others. Where
    the avatar’s picture ends, the head is shown larger or lower."""
    background: NotRequired[str]
    """Default: `own`. `own`: the room of the avatar; `blur`: that room out of focus;
    `transparent`: none; the video track is twice as wide and holds the opacity on its
    right, see `/docs/frames`; `green`: #00b140; a colour as `#rrggbb`; or a picture:
    `office`, `studio`, `home`, `library`, `plain-light`, `plain-dark`."""


class Voice(TypedDict):
    """A voice that agent workers bring along."""

    id: str
    name: str
    sex: Literal["female", "male"]
    language: str
    """The language that it speaks, such as `en`."""
    sample: str
    """Address of a recorded sentence (Ogg with Opus); needs no key."""


class VoiceList(TypedDict):
    data: list[Voice]


class Webhook(TypedDict):
    id: str
    url: str
    events: list[Literal["session.started", "session.ended", "session.quality_changed", "call.started", "call.ended", "call.rated", "message", "agent.budget_reached", "avatar.ready", "test"]]
    description: str
    status: Literal["enabled", "disabled"]
    disabled_reason: NotRequired[Literal["requested", "gone", "failing"]]
    """`requested`: disabled by an update. `gone`: the receiver answered 410. `failing`:
    all deliveries failed for a day."""
    former_secret_until: NotRequired[str]
    """After a rotation: deliveries are also signed with the former secret until then."""
    created_at: str


class WebhookChanges(TypedDict):
    url: NotRequired[str]
    """Address that events are posted to: https, or http on this machine. Private network
    addresses are refused unless the service allows them."""
    events: NotRequired[list[Literal["session.started", "session.ended", "session.quality_changed", "call.started", "call.ended", "call.rated", "message", "agent.budget_reached", "avatar.ready", "test"]]]
    """Events to send. A `test` is sent on request even if not listed."""
    description: NotRequired[str]
    status: NotRequired[Literal["enabled", "disabled"]]
    """When enabled again, missed events are delivered with a full set of attempts."""


class WebhookDelivery(TypedDict):
    id: str
    event_id: str
    """Sent as `webhook-id`, the same in every attempt."""
    type: Literal["session.started", "session.ended", "session.quality_changed", "call.started", "call.ended", "call.rated", "message", "agent.budget_reached", "avatar.ready", "test"]
    status: Literal["pending", "delivered", "failed"]
    """`failed`: all attempts of a day failed, and none follows."""
    attempts: int
    """Completed attempts."""
    created_at: str
    next_attempt_at: NotRequired[str]
    delivered_at: NotRequired[str]
    answer_status: NotRequired[int]
    """HTTP status of the answer to the last attempt, if any."""
    error: NotRequired[str]
    """Why the last attempt failed."""


class WebhookDeliveryWithBody(TypedDict):
    id: str
    event_id: str
    """Sent as `webhook-id`, the same in every attempt."""
    type: Literal["session.started", "session.ended", "session.quality_changed", "call.started", "call.ended", "call.rated", "message", "agent.budget_reached", "avatar.ready", "test"]
    status: Literal["pending", "delivered", "failed"]
    """`failed`: all attempts of a day failed, and none follows."""
    attempts: int
    """Completed attempts."""
    created_at: str
    next_attempt_at: NotRequired[str]
    delivered_at: NotRequired[str]
    answer_status: NotRequired[int]
    """HTTP status of the answer to the last attempt, if any."""
    error: NotRequired[str]
    """Why the last attempt failed."""
    body: str
    """JSON, as signed and sent."""


class WebhookRequest(TypedDict):
    url: str
    """Address that events are posted to: https, or http on this machine. Private network
    addresses are refused unless the service allows them."""
    events: list[Literal["session.started", "session.ended", "session.quality_changed", "call.started", "call.ended", "call.rated", "message", "agent.budget_reached", "avatar.ready", "test"]]
    """Events to send. A `test` is sent on request even if not listed."""
    description: NotRequired[str]


class WebhookWithSecret(TypedDict):
    id: str
    url: str
    events: list[Literal["session.started", "session.ended", "session.quality_changed", "call.started", "call.ended", "call.rated", "message", "agent.budget_reached", "avatar.ready", "test"]]
    description: str
    status: Literal["enabled", "disabled"]
    disabled_reason: NotRequired[Literal["requested", "gone", "failing"]]
    """`requested`: disabled by an update. `gone`: the receiver answered 410. `failing`:
    all deliveries failed for a day."""
    former_secret_until: NotRequired[str]
    """After a rotation: deliveries are also signed with the former secret until then."""
    created_at: str
    secret: str
    """Key of the signature (Standard Webhooks: `webhook-id`, `webhook-timestamp`,
    `webhook-signature`). Shown only once."""


class WorkerDrain(TypedDict):
    sessions: int
    """Sessions that it still performs."""
    done_by: str | None
    """When it will be empty at the latest: by the limits of its sessions, and by its own,
    after which it hands over what is left. Null: a session has no limit."""


class Worker(TypedDict):
    id: str
    kind: Literal["avatar", "agent"]
    pool: str
    """WORKER_POOL of the worker."""
    version: str
    """Software version."""
    host: str | None
    """Name of its machine; in Kubernetes, of its pod. Null: an older worker."""
    state: Literal["ready", "late", "resting", "cordoned", "draining"]
    """`ready`: accepts sessions. `late`: its frames are late. `resting`: declined a
    session a moment ago. `cordoned`: takes no new sessions until it is resumed.
    `draining`: takes no new sessions and stops after its last one."""
    cordoned: bool
    """Takes no new sessions until it is resumed; also while it is late or draining."""
    slots: int
    """Sessions that it can perform at once."""
    taken: int
    """Slots in use."""
    late_share: float
    """Share of frames that were late in the last seconds, or left out for want of CPU
    time; 0 to 1."""
    frame_rate: float | None
    """Frames per second per session; null while no session runs."""
    quality: Literal["full", "fewer_frames", "smaller_picture", "mouth_only", "still_picture"]
    """What it shows; below `full` while it has too little CPU time. `full`: Every frame,
    of full size. `fewer_frames`: Every other frame. `smaller_picture`: Every other
    frame, of half the width and height. In botrooms the size stays the same.
    `mouth_only`: The same, and only the mouth moves. `still_picture`: A still face with
    its mouth shut, and whole sound."""
    since: str
    """When it connected."""
    drain: WorkerDrain | None
    """The forecast of a draining worker; else null."""


class WorkerList(TypedDict):
    data: list[Worker]


class WorkerToken(TypedDict):
    id: str
    name: str
    kind: str | None
    """`avatar` or `agent`; null: workers of any kind."""
    pool: str | None
    """WORKER_POOL of its workers; null: any pool."""
    created_at: str
    last_used_at: str | None
    """Rounded to the minute."""
    revoked_at: str | None


class WorkerTokenRequest(TypedDict):
    name: str
    kind: NotRequired[Literal["avatar", "agent"]]
    """Only for workers of this kind."""
    pool: NotRequired[str]
    """Only for workers of this pool."""


WebhookEvent: TypeAlias = (
    "SessionStartedEvent "
    "| SessionEndedEvent "
    "| SessionQualityChangedEvent "
    "| CallStartedEvent "
    "| CallEndedEvent "
    "| CallRatedEvent "
    "| MessageEvent "
    "| AgentBudgetReachedEvent "
    "| AvatarReadyEvent "
    "| TestEvent"
)
"""A delivery to a webhook."""
