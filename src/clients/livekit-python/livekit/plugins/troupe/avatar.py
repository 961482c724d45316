from __future__ import annotations

import asyncio
import os
import uuid

import aiohttp

from livekit import api, rtc
from livekit.agents import (
    DEFAULT_API_CONNECT_OPTIONS,
    NOT_GIVEN,
    AgentSession,
    APIConnectionError,
    APIConnectOptions,
    APIStatusError,
    NotGivenOr,
    get_job_context,
    utils,
)
from livekit.agents.voice.avatar import AvatarSession as BaseAvatarSession, DataStreamAudioOutput
from livekit.agents.voice.room_io import ATTRIBUTE_PUBLISH_ON_BEHALF

from .log import logger

_DEFAULT_API_URL = "http://127.0.0.1:8080"
_DEFAULT_AVATAR_ID = "nora"

_AVATAR_AGENT_IDENTITY = "troupe-avatar-agent"
_AVATAR_AGENT_NAME = "troupe-avatar-agent"


class TroupeException(Exception):
    """Exception for Troupe errors"""


class AvatarSession(BaseAvatarSession):
    """A Troupe avatar session"""

    def __init__(
        self,
        *,
        avatar_id: NotGivenOr[str] = NOT_GIVEN,
        api_url: NotGivenOr[str] = NOT_GIVEN,
        api_key: NotGivenOr[str] = NOT_GIVEN,
        avatar_participant_identity: NotGivenOr[str] = NOT_GIVEN,
        avatar_participant_name: NotGivenOr[str] = NOT_GIVEN,
        conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS,
    ) -> None:
        """
        Args:
            avatar_id: Id or alias of an avatar. Defaults to TROUPE_AVATAR_ID, or "nora".
            api_url: Address of the service. Defaults to TROUPE_URL, or http://127.0.0.1:8080.
            api_key: API key of the service. Defaults to TROUPE_API_KEY.
            avatar_participant_identity: Identity of the avatar in the room.
            avatar_participant_name: Name of the avatar in the room.
            conn_options: Timeout and retries of the request for the avatar.
        """
        super().__init__()
        self._avatar_id = avatar_id or os.getenv("TROUPE_AVATAR_ID") or _DEFAULT_AVATAR_ID
        self._api_url = (api_url or os.getenv("TROUPE_URL") or _DEFAULT_API_URL).rstrip("/")
        api_key = api_key or os.getenv("TROUPE_API_KEY") or NOT_GIVEN
        if not api_key:
            raise TroupeException(
                "The api_key must be set either by passing api_key to the client or "
                "by setting the TROUPE_API_KEY environment variable"
            )
        self._api_key = api_key
        self._avatar_participant_identity = avatar_participant_identity or _AVATAR_AGENT_IDENTITY
        self._avatar_participant_name = avatar_participant_name or _AVATAR_AGENT_NAME
        self._http_session: aiohttp.ClientSession | None = None
        self._conn_options = conn_options
        self.session_id: str | None = None

    @property
    def avatar_identity(self) -> str:
        return self._avatar_participant_identity

    @property
    def provider(self) -> str:
        return "troupe"

    def _ensure_http_session(self) -> aiohttp.ClientSession:
        if self._http_session is None:
            self._http_session = utils.http_context.http_session()

        return self._http_session

    async def start(
        self,
        agent_session: AgentSession,
        room: rtc.Room,
        *,
        livekit_url: NotGivenOr[str] = NOT_GIVEN,
        livekit_api_key: NotGivenOr[str] = NOT_GIVEN,
        livekit_api_secret: NotGivenOr[str] = NOT_GIVEN,
    ) -> None:
        await super().start(agent_session, room)

        livekit_url = livekit_url or (os.getenv("LIVEKIT_URL") or NOT_GIVEN)
        livekit_api_key = livekit_api_key or (os.getenv("LIVEKIT_API_KEY") or NOT_GIVEN)
        livekit_api_secret = livekit_api_secret or (os.getenv("LIVEKIT_API_SECRET") or NOT_GIVEN)
        if not livekit_url or not livekit_api_key or not livekit_api_secret:
            raise TroupeException(
                "livekit_url, livekit_api_key, and livekit_api_secret must be set "
                "by arguments or environment variables"
            )

        job_ctx = get_job_context()
        livekit_token = (
            api.AccessToken(api_key=livekit_api_key, api_secret=livekit_api_secret)
            .with_kind("agent")
            .with_identity(self._avatar_participant_identity)
            .with_name(self._avatar_participant_name)
            .with_grants(api.VideoGrants(room_join=True, room=room.name))
            # allow the avatar agent to publish audio and video on behalf of your local agent
            .with_attributes({ATTRIBUTE_PUBLISH_ON_BEHALF: job_ctx.local_participant_identity})
            .to_jwt()
        )

        logger.debug("starting avatar session")
        self.session_id = await self._open_session(livekit_url, livekit_token)

        # At the rate of the agent's voice: the service takes any.
        agent_session.output.replace_audio_tail(
            DataStreamAudioOutput(
                room=room,
                destination_identity=self._avatar_participant_identity,
                wait_remote_track=rtc.TrackKind.KIND_VIDEO,
                wait_playback_start=True,
            ),
        )

    async def _open_session(self, livekit_url: str, livekit_token: str) -> str:
        """The id of the session. The service answers every try with the same one."""
        headers = {"x-api-key": self._api_key, "idempotency-key": str(uuid.uuid4())}
        body = {
            "transport": "livekit",
            "avatar_id": self._avatar_id,
            "url": livekit_url,
            "token": livekit_token,
        }
        for attempt in range(self._conn_options.max_retry + 1):
            try:
                async with self._ensure_http_session().post(
                    f"{self._api_url}/v1/sessions",
                    headers=headers,
                    json=body,
                    # Following one would send the key and the room's token elsewhere.
                    allow_redirects=False,
                    timeout=aiohttp.ClientTimeout(total=self._conn_options.timeout),
                ) as response:
                    if 300 <= response.status < 400:
                        address = response.headers.get("location", "another address")
                        raise TroupeException(
                            f"The service redirects to {address}. "
                            "Set api_url to its final address."
                        )
                    if not response.ok:
                        raise APIStatusError(
                            "Server returned an error",
                            status_code=response.status,
                            body=await response.text(),
                        )
                    session_id: str = (await response.json())["id"]
                    return session_id
            except APIStatusError as e:
                # A 4xx such as a bad API key will fail the same way every time.
                if not e.retryable or attempt >= self._conn_options.max_retry:
                    raise
                logger.warning(
                    "failed to call the troupe api",
                    extra={"attempt": attempt + 1, "status_code": e.status_code},
                )
            except (aiohttp.ClientError, asyncio.TimeoutError) as e:
                logger.warning(
                    "failed to call the troupe api",
                    extra={"attempt": attempt + 1, "error": str(e)},
                )
                if attempt >= self._conn_options.max_retry:
                    break
            await asyncio.sleep(self._conn_options.retry_interval)

        raise APIConnectionError("Failed to start Troupe Avatar Session after all retries")
