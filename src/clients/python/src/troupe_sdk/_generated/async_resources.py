# Generated from /openapi.json by `npm run sdks`. Do not edit.
# ruff: noqa: A002, A003
from __future__ import annotations

from typing import Any, List, Literal

import httpx2

from .._events import AsyncSessionEvents
from .._options import NOT_GIVEN, NotGiven, RequestOptions, RequestSpec, segment
from .._pages import AsyncPages
from .._async_transport import AsyncTransport
from . import models
from .models import FileContent


class AsyncAuth:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def verify(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Verify API key."""
        spec = RequestSpec(
            method="GET",
            path="/v1/auth/verify",
        )
        return await self._transport.nothing(spec, options)


class AsyncFleet:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def workers(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.WorkerList:
        """List workers. Workers that are connected now. Draining ones say when they will
        be empty at the latest."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/workers",
        )
        answer: models.WorkerList = await self._transport.json(spec, options)
        return answer

    async def pressure(
        self,
        *,
        pool: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.FleetPressure:
        """Retrieve fleet pressure. For autoscalers: the wanted number of workers and the
        figures behind it, for one pool, or for each pool and in total."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/pressure",
            query={
                "pool": pool,
            },
        )
        answer: models.FleetPressure = await self._transport.json(spec, options)
        return answer

    async def audit(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.FleetAudit:
        """Audit the fleet. Compares slots, sessions, records, performing workers and
        rooms. New differences may be changes in progress; lasting ones are repaired
        within minutes."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/audit",
        )
        answer: models.FleetAudit = await self._transport.json(spec, options)
        return answer

    async def cordon(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Worker:
        """Cordon worker. The worker takes no new sessions until it is resumed, and keeps
        its own. It stays cordoned when it reconnects."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/fleet/workers/{segment(id)}/cordon",
        )
        answer: models.Worker = await self._transport.json(spec, options)
        return answer

    async def resume(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Worker:
        """Resume worker. A cordoned worker takes new sessions again."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/fleet/workers/{segment(id)}/resume",
        )
        answer: models.Worker = await self._transport.json(spec, options)
        return answer

    async def drain(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Worker:
        """Drain worker. The worker takes no new sessions, finishes the running ones and
        stops."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/fleet/workers/{segment(id)}/drain",
        )
        answer: models.Worker = await self._transport.json(spec, options)
        return answer

    async def repair(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.FleetAudit:
        """Audit the fleet and repair it. Runs the repair now instead of within a minute.
        Differences younger than ten seconds, or seen for the first time, are not
        repaired."""
        spec = RequestSpec(
            method="POST",
            path="/v1/fleet/audit/repair",
        )
        answer: models.FleetAudit = await self._transport.json(spec, options)
        return answer

    async def alerts(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.FleetAlerts:
        """List alerts. Which of the rules in `deploy/prometheus` would fire, as far as the
        service knows it without Prometheus: from the fleet as it is, and from what all
        control planes have counted. Alerts that have held too short since a restart of
        this control plane are pending."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/alerts",
        )
        answer: models.FleetAlerts = await self._transport.json(spec, options)
        return answer

    def events(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> AsyncSessionEvents:
        """Follow the fleet. Server-sent events: `fleet` with `workers`, as in the list of
        workers, and `pressure`. It comes at the beginning, and within two seconds of
        each change, of any control plane."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/events",
        )
        return self._transport.events(spec, options)

    async def health(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.ServiceHealth:
        """Check health. Of what this control plane depends on, its certificates, the jobs
        that LiveKit agents of the built-in media server did not take, agent workers
        that are too slow for speech recognition, what `npm start` is installing for
        agents, its version, and the migrations of the database. A newer version may
        have migrated it further."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/health",
        )
        answer: models.ServiceHealth = await self._transport.json(spec, options)
        return answer

    async def history(
        self,
        *,
        span: Literal["hour", "day", "week", "month"] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.FleetHistory:
        """Retrieve history of the fleet. For charts: avatar workers, their slots, the
        requests that waited, and the sessions that changed their worker, of the last
        hour, day, week or month. Kept for two months, by quarters of an hour."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/history",
            query={
                "span": span,
            },
        )
        answer: models.FleetHistory = await self._transport.json(spec, options)
        return answer

    async def log_level(
        self,
        id: str,
        *,
        level: Literal["debug", "info", "warn", "error"],
        options: RequestOptions | None = None,
    ) -> None:
        """Set log level of worker. The worker logs at this level until it exits; sessions
        that have begun may keep theirs. Workers of older versions ignore it."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/fleet/workers/{segment(id)}/log-level",
            body={
                "level": level,
            },
        )
        return await self._transport.nothing(spec, options)

    async def rebalance(
        self,
        *,
        worker_id: str | NotGiven = NOT_GIVEN,
        sessions: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.Rebalance:
        """Rebalance the fleet. Moves the longest sessions off overloaded workers, each at
        its next pause in speech, to workers with free slots. Sessions for which there
        is no slot stay."""
        spec = RequestSpec(
            method="POST",
            path="/v1/fleet/rebalance",
            body={
                "worker_id": worker_id,
                "sessions": sessions,
            },
        )
        answer: models.Rebalance = await self._transport.json(spec, options)
        return answer

    async def canary(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.Canary:
        """Retrieve the canary. How the pool on trial compares with the other one."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/canary",
        )
        answer: models.Canary = await self._transport.json(spec, options)
        return answer

    async def set_canary(
        self,
        *,
        pool: str,
        share_percent: int,
        stable_pool: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.Canary:
        """Start a canary. A share of new sessions tries another pool of workers, until
        significantly more of them fail. Replaces the canary before and counts from
        zero."""
        spec = RequestSpec(
            method="PUT",
            path="/v1/fleet/canary",
            body={
                "pool": pool,
                "stable_pool": stable_pool,
                "share_percent": share_percent,
            },
        )
        answer: models.Canary = await self._transport.json(spec, options)
        return answer

    async def delete_canary(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """End the canary. All new sessions go to their own pool. Running ones stay."""
        spec = RequestSpec(
            method="DELETE",
            path="/v1/fleet/canary",
        )
        return await self._transport.nothing(spec, options)

    async def list_overflows(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.OverflowList:
        """List overflows. The outside services that take sessions of full pools, with what
        they cost and why they take no more."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/overflow",
        )
        answer: models.OverflowList = await self._transport.json(spec, options)
        return answer

    async def set_overflow(
        self,
        *,
        url: str,
        price_per_minute: float,
        ceiling: float,
        period: Literal["day", "month"],
        max_sessions: int,
        pool: str | NotGiven = NOT_GIVEN,
        max_minutes: int | NotGiven = NOT_GIVEN,
        api_key: str | NotGiven = NOT_GIVEN,
        avatars: dict[str, str] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.Overflow:
        """Set an overflow. Sessions that find no free slot in the pool are created at an
        outside service with this interface, within a cost ceiling. Its address cannot
        change while sessions are open there."""
        spec = RequestSpec(
            method="PUT",
            path="/v1/fleet/overflow",
            body={
                "pool": pool,
                "url": url,
                "price_per_minute": price_per_minute,
                "ceiling": ceiling,
                "period": period,
                "max_sessions": max_sessions,
                "max_minutes": max_minutes,
                "api_key": api_key,
                "avatars": avatars,
            },
        )
        answer: models.Overflow = await self._transport.json(spec, options)
        return answer

    async def delete_overflow(
        self,
        *,
        pool: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> None:
        """Remove an overflow. Refused while sessions are open there: set `max_sessions` to
        0 first."""
        spec = RequestSpec(
            method="DELETE",
            path="/v1/fleet/overflow",
            query={
                "pool": pool,
            },
        )
        return await self._transport.nothing(spec, options)

    async def list_overflow_sessions(
        self,
        *,
        pool: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.OutsideSessionList:
        """List sessions of an overflow. The newest 100 sessions at the outside service of
        a pool."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/overflow/sessions",
            query={
                "pool": pool,
            },
        )
        answer: models.OutsideSessionList = await self._transport.json(spec, options)
        return answer

    async def create_worker_token(
        self,
        *,
        name: str,
        kind: Literal["avatar", "agent"] | NotGiven = NOT_GIVEN,
        pool: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.MadeWorkerToken:
        """Create worker token. One or more workers use it as their WORKER_TOKEN. With
        `kind` or `pool`, others are refused."""
        spec = RequestSpec(
            method="POST",
            path="/v1/fleet/worker-tokens",
            body={
                "name": name,
                "kind": kind,
                "pool": pool,
            },
        )
        answer: models.MadeWorkerToken = await self._transport.json(spec, options)
        return answer

    def worker_tokens(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.WorkerToken]:
        """List worker tokens. Most recent first, including revoked ones."""
        spec = RequestSpec(
            method="GET",
            path="/v1/fleet/worker-tokens",
            query={
                "limit": limit,
            },
        )
        return self._transport.pages(spec, options)

    async def delete_worker_token(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Revoke worker token. Takes effect at once and cannot be undone. Workers that use
        it are disconnected, and their sessions move to other workers."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/fleet/worker-tokens/{segment(id)}",
        )
        return await self._transport.nothing(spec, options)


class AsyncExport:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> httpx2.Response:
        """Export account. Everything that belongs to the account as a tar archive: lists
        as lines of JSON in the form of this API, texts of knowledge files, photos and
        built avatars. Secrets are left out. One export at a time."""
        spec = RequestSpec(
            method="POST",
            path="/v1/export",
        )
        return await self._transport.raw(spec, options)


class AsyncAvatars:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.Avatar]:
        """List avatars. Built-in avatars first, then your own, most recent first."""
        spec = RequestSpec(
            method="GET",
            path="/v1/avatars",
            query={
                "limit": limit,
            },
        )
        return self._transport.pages(spec, options)

    async def create(
        self,
        *,
        name: str,
        picture: FileContent,
        consent: str,
        background: str | FileContent | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.Avatar:
        """Create avatar. Builds an avatar from a photo in the background. `progress` rises
        until the avatar is `ready` (webhook event `avatar.ready`) or `failed`, with a
        reason and advice. The plan limits how many an account may have."""
        spec = RequestSpec(
            method="POST",
            path="/v1/avatars",
            form={
                "name": name,
                "picture": picture,
                "consent": consent,
                "background": background,
            },
            takes_key=True,
        )
        answer: models.Avatar = await self._transport.json(spec, options)
        return answer

    async def retrieve(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Avatar:
        """Retrieve avatar. Your own avatars include build progress, or why the build
        failed."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/avatars/{segment(id)}",
        )
        answer: models.Avatar = await self._transport.json(spec, options)
        return answer

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete avatar. Deletes one of your own avatars with its picture and all files
        built from it. Refused while an agent or a session uses it; the error names
        them."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/avatars/{segment(id)}",
        )
        return await self._transport.nothing(spec, options)

    async def sheet(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ContactSheet:
        """Retrieve contact sheet of avatar. The mouth shapes, eyes and expressions of the
        avatar in one picture. A worker draws it when you ask. 409 while the avatar is
        not ready, 503 while no worker can draw it."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/avatars/{segment(id)}/sheet",
        )
        answer: models.ContactSheet = await self._transport.json(spec, options)
        return answer


class AsyncSessions:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        avatar_id: str,
        transport: Literal["mediaserver", "livekit", "botroom"] | NotGiven = NOT_GIVEN,
        url: str | NotGiven = NOT_GIVEN,
        token: str | NotGiven = NOT_GIVEN,
        video: models.VideoRequest | NotGiven = NOT_GIVEN,
        max_session_length_minutes: int | NotGiven = NOT_GIVEN,
        metadata: dict[str, str] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.OpenedSession:
        """Create speech-to-video session."""
        spec = RequestSpec(
            method="POST",
            path="/v1/sessions",
            body={
                "avatar_id": avatar_id,
                "transport": transport,
                "url": url,
                "token": token,
                "video": video,
                "max_session_length_minutes": max_session_length_minutes,
                "metadata": metadata,
            },
            takes_key=True,
        )
        answer: models.OpenedSession = await self._transport.json(spec, options)
        return answer

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        status: Literal["to_start", "ongoing", "completed"] | NotGiven = NOT_GIVEN,
        avatar_id: str | NotGiven = NOT_GIVEN,
        transport: Literal["mediaserver", "botroom"] | NotGiven = NOT_GIVEN,
        end_reason: Literal[
            "agent_left", "room_empty", "room_closed", "room_refused", "removed", "replaced",
            "ended_by_client", "time_limit", "budget_reached", "never_started", "token_expired",
            "worker_lost", "service_stopped"
        ] | NotGiven = NOT_GIVEN,
        q: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.Session]:
        """List speech-to-video sessions. Most recent first. A cursor is valid only with
        the filters it was created with."""
        spec = RequestSpec(
            method="GET",
            path="/v1/sessions",
            query={
                "limit": limit,
                "status": status,
                "avatar_id": avatar_id,
                "transport": transport,
                "end_reason": end_reason,
                "q": q,
                "from": from_,
                "to": to,
            },
        )
        return self._transport.pages(spec, options)

    async def retrieve(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Session:
        """Retrieve speech-to-video session."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/sessions/{segment(id)}",
        )
        answer: models.Session = await self._transport.json(spec, options)
        return answer

    async def update(
        self,
        id: str,
        *,
        video: models.VideoRequest | NotGiven = NOT_GIVEN,
        emotion: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.Session:
        """Change picture of speech-to-video session. Framing, background and emotion
        change at once, without a new track; the framing moves smoothly. Size and frame
        rate stay, and a session does not become transparent, or stop to be. Framing and
        background outlast a change of the worker. 409 when the session is over, or its
        worker is of a version that cannot change the picture."""
        spec = RequestSpec(
            method="PATCH",
            path=f"/v1/sessions/{segment(id)}",
            body={
                "video": video,
                "emotion": emotion,
            },
        )
        answer: models.Session = await self._transport.json(spec, options)
        return answer

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.DeletionReceipt:
        """Delete speech-to-video session. Deletes a completed session with its timeline
        and its webhook events, delivered or not. Its minutes still count."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/sessions/{segment(id)}",
        )
        answer: models.DeletionReceipt = await self._transport.json(spec, options)
        return answer

    async def end(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Session:
        """End speech-to-video session. The avatar leaves the room. A session that has
        already ended is returned unchanged."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/sessions/{segment(id)}/end",
        )
        answer: models.Session = await self._transport.json(spec, options)
        return answer

    async def create_token(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.BotroomToken:
        """Create botroom token. Another token for the client of a botroom, to connect
        again when its first one has expired. It is valid for ten minutes. Earlier
        tokens stay valid until they expire."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/sessions/{segment(id)}/token",
        )
        answer: models.BotroomToken = await self._transport.json(spec, options)
        return answer

    def events(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> AsyncSessionEvents:
        """Follow speech-to-video session. Server-sent events: first `session` with the
        current state, then `session.started` and `session.ended` as they happen. The
        data of each is the session. The stream ends when the session is completed.
        Lines that start with a colon keep the connection open. A key may hold
        EVENT_STREAMS_PER_KEY streams; they end when it is revoked, expires or may no
        longer read sessions."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/sessions/{segment(id)}/events",
        )
        return self._transport.events(spec, options)

    async def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Timeline:
        """Retrieve timeline of speech-to-video session. Events of the session in the order
        they happened, at most 1000; `left_out` counts the rest. Events of the last
        second may be missing."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/sessions/{segment(id)}/timeline",
        )
        answer: models.Timeline = await self._transport.json(spec, options)
        return answer

    async def still(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> httpx2.Response:
        """Retrieve still of speech-to-video session. A small JPEG of what the avatar
        shows, at most a few seconds old: ask again every five seconds. The worker takes
        it when you ask; it is kept in memory for seconds and stored nowhere. Of a
        session that belongs to a call only if `call_stills` of the account permits it.
        409 while there is none: the session is not live, or its worker takes no stills."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/sessions/{segment(id)}/still",
        )
        return await self._transport.raw(spec, options)


class AsyncEvents:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def follow(
        self,
        *,
        last_event_id: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncSessionEvents:
        """Follow all sessions. Server-sent events of all sessions: `session.created`,
        `session.started`, `session.ended`, and `session.changed` when its worker or its
        quality changes. The data of each is the session. `hello` comes first. A client
        that reconnects with Last-Event-ID gets what it missed; `reset` says that it was
        too much, so read the lists again. An event may come twice. Within a second,
        also from other control planes."""
        spec = RequestSpec(
            method="GET",
            path="/v1/events",
            query={
                "last_event_id": last_event_id,
            },
        )
        return self._transport.events(spec, options)


class AsyncAccount:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def retrieve(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.OwnAccount:
        """Retrieve own account."""
        spec = RequestSpec(
            method="GET",
            path="/v1/account",
        )
        answer: models.OwnAccount = await self._transport.json(spec, options)
        return answer

    async def update(
        self,
        *,
        retention_days: models.OwnAccountChangesRetentionDays | None | NotGiven = NOT_GIVEN,
        call_stills: bool | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> None:
        """Update own account. Omitted fields keep their values. Data that is older than
        the new retention is deleted within an hour."""
        spec = RequestSpec(
            method="PATCH",
            path="/v1/account",
            body={
                "retention_days": retention_days,
                "call_stills": call_stills,
            },
        )
        return await self._transport.nothing(spec, options)


class AsyncUsage:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def retrieve(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.Usage:
        """Retrieve usage. Usage of the account this month, and the limits of its plan."""
        spec = RequestSpec(
            method="GET",
            path="/v1/usage",
        )
        answer: models.Usage = await self._transport.json(spec, options)
        return answer


class AsyncRequestLog:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        status: Literal["2xx", "3xx", "4xx", "5xx"] | NotGiven = NOT_GIVEN,
        route: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.RequestLog:
        """List requests. Requests of the last hour under `/v1`, most recent first, to
        debug an integration: at most 300 of each control plane, kept in memory only,
        without secrets. What people read in the console is left out."""
        spec = RequestSpec(
            method="GET",
            path="/v1/request-log",
            query={
                "status": status,
                "route": route,
                "limit": limit,
            },
        )
        answer: models.RequestLog = await self._transport.json(spec, options)
        return answer


class AsyncHistory:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def retrieve(
        self,
        *,
        span: Literal["hour", "day", "week", "month"] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.SessionHistory:
        """Retrieve history of sessions. For charts: sessions, failures and minutes of the
        last hour, day, week or month."""
        spec = RequestSpec(
            method="GET",
            path="/v1/history",
            query={
                "span": span,
            },
        )
        answer: models.SessionHistory = await self._transport.json(spec, options)
        return answer


class AsyncAuditLog:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        action: Literal[
            "account.created", "account.deleted", "account.exported", "account.updated",
            "account_domain.created", "account_domain.deleted", "admin.created",
            "admin.deleted", "admin.signed_in", "admin.updated", "agent.created",
            "agent.deleted", "agent.made_private", "agent.made_public", "agent.updated",
            "api_key.created", "api_key.revoked", "api_key.updated", "avatar.created",
            "avatar.deleted", "call.deleted", "call.ended", "canary.ended", "canary.started",
            "canary.stopped", "external_api.created", "external_api.deleted",
            "external_api.updated", "fleet.rebalanced", "fleet.repaired", "invitation.created",
            "invitation.deleted", "knowledge_file.created", "knowledge_file.deleted",
            "knowledge_file.submitted", "overflow.removed", "overflow.set", "person.created",
            "person.deleted", "person.link_created", "person.signed_in", "person.signed_out",
            "person.updated", "secret_key.removed", "secret_key.rotated", "session.deleted",
            "session.ended", "speech_model.installed", "webhook.created", "webhook.deleted",
            "webhook.secret_rotated", "webhook.updated", "worker.cordoned", "worker.drained",
            "worker.log_level_set", "worker.resumed", "worker_token.created",
            "worker_token.revoked"
        ] | NotGiven = NOT_GIVEN,
        target_id: str | NotGiven = NOT_GIVEN,
        actor_id: str | NotGiven = NOT_GIVEN,
        account_id: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.AuditEntry]:
        """List audit log. Who changed what, when and from where, most recent first. Keys
        of an account see its changes; operator keys see those of every account and of
        the installation. Entries cannot be changed or deleted. Sessions and calls have
        their own lists."""
        spec = RequestSpec(
            method="GET",
            path="/v1/audit-log",
            query={
                "limit": limit,
                "action": action,
                "target_id": target_id,
                "actor_id": actor_id,
                "account_id": account_id,
                "from": from_,
                "to": to,
            },
        )
        return self._transport.pages(spec, options)

    async def export(
        self,
        *,
        format: Literal["ndjson", "csv"] | NotGiven = NOT_GIVEN,
        action: Literal[
            "account.created", "account.deleted", "account.exported", "account.updated",
            "account_domain.created", "account_domain.deleted", "admin.created",
            "admin.deleted", "admin.signed_in", "admin.updated", "agent.created",
            "agent.deleted", "agent.made_private", "agent.made_public", "agent.updated",
            "api_key.created", "api_key.revoked", "api_key.updated", "avatar.created",
            "avatar.deleted", "call.deleted", "call.ended", "canary.ended", "canary.started",
            "canary.stopped", "external_api.created", "external_api.deleted",
            "external_api.updated", "fleet.rebalanced", "fleet.repaired", "invitation.created",
            "invitation.deleted", "knowledge_file.created", "knowledge_file.deleted",
            "knowledge_file.submitted", "overflow.removed", "overflow.set", "person.created",
            "person.deleted", "person.link_created", "person.signed_in", "person.signed_out",
            "person.updated", "secret_key.removed", "secret_key.rotated", "session.deleted",
            "session.ended", "speech_model.installed", "webhook.created", "webhook.deleted",
            "webhook.secret_rotated", "webhook.updated", "worker.cordoned", "worker.drained",
            "worker.log_level_set", "worker.resumed", "worker_token.created",
            "worker_token.revoked"
        ] | NotGiven = NOT_GIVEN,
        target_id: str | NotGiven = NOT_GIVEN,
        actor_id: str | NotGiven = NOT_GIVEN,
        account_id: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> httpx2.Response:
        """Export audit log. All matching entries as one file, most recent first. One
        export at a time."""
        spec = RequestSpec(
            method="GET",
            path="/v1/audit-log/export",
            query={
                "format": format,
                "action": action,
                "target_id": target_id,
                "actor_id": actor_id,
                "account_id": account_id,
                "from": from_,
                "to": to,
            },
        )
        return await self._transport.raw(spec, options)


class AsyncApiKeys:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.ApiKey]:
        """List own API keys. Most recent first, including revoked keys."""
        spec = RequestSpec(
            method="GET",
            path="/v1/api-keys",
            query={
                "limit": limit,
            },
        )
        return self._transport.pages(spec, options)

    async def create(
        self,
        *,
        name: str,
        scopes: List[Literal[
            "account:read", "account:write", "agents:read", "agents:write", "api_keys:read",
            "api_keys:write", "audit_log:read", "audit_log:write", "avatars:read",
            "avatars:write", "calls:read", "calls:write", "export:read", "export:write",
            "external_apis:read", "external_apis:write", "fleet:read", "fleet:write",
            "knowledge_files:read", "knowledge_files:write", "people:read", "people:write",
            "sessions:read", "sessions:write", "usage:read", "usage:write", "webhooks:read",
            "webhooks:write"
        ]] | None | NotGiven = NOT_GIVEN,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        allowed_networks: List[str] | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.MadeApiKey:
        """Create own API key. A caller with scopes gives no others. A key that expires or
        is limited to networks creates none."""
        spec = RequestSpec(
            method="POST",
            path="/v1/api-keys",
            body={
                "name": name,
                "scopes": scopes,
                "expires_at": expires_at,
                "allowed_networks": allowed_networks,
            },
        )
        answer: models.MadeApiKey = await self._transport.json(spec, options)
        return answer

    async def update(
        self,
        id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        scopes: List[Literal[
            "account:read", "account:write", "agents:read", "agents:write", "api_keys:read",
            "api_keys:write", "audit_log:read", "audit_log:write", "avatars:read",
            "avatars:write", "calls:read", "calls:write", "export:read", "export:write",
            "external_apis:read", "external_apis:write", "fleet:read", "fleet:write",
            "knowledge_files:read", "knowledge_files:write", "people:read", "people:write",
            "sessions:read", "sessions:write", "usage:read", "usage:write", "webhooks:read",
            "webhooks:write"
        ]] | None | NotGiven = NOT_GIVEN,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        allowed_networks: List[str] | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.ApiKey:
        """Change own API key. Omitted fields keep their values. Takes effect at once, on
        other control planes within a second."""
        spec = RequestSpec(
            method="PATCH",
            path=f"/v1/api-keys/{segment(id)}",
            body={
                "name": name,
                "scopes": scopes,
                "expires_at": expires_at,
                "allowed_networks": allowed_networks,
            },
        )
        answer: models.ApiKey = await self._transport.json(spec, options)
        return answer

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Revoke own API key. Takes effect at once, on other control planes within a
        second. It cannot be undone."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/api-keys/{segment(id)}",
        )
        return await self._transport.nothing(spec, options)


class AsyncPeople:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.Person]:
        """List people. Who may use the console for this account, most recent first."""
        spec = RequestSpec(
            method="GET",
            path="/v1/people",
            query={
                "limit": limit,
            },
        )
        return self._transport.pages(spec, options)

    async def update(
        self,
        id: str,
        *,
        role: Literal["owner", "builder", "viewer"],
        options: RequestOptions | None = None,
    ) -> models.Person:
        """Change role of person. Takes effect with their next request. The last owner
        stays one."""
        spec = RequestSpec(
            method="PATCH",
            path=f"/v1/people/{segment(id)}",
            body={
                "role": role,
            },
        )
        answer: models.Person = await self._transport.json(spec, options)
        return answer

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Remove person. Ends their sign-ins. The last owner stays."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/people/{segment(id)}",
        )
        return await self._transport.nothing(spec, options)

    async def create_sign_in_link(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.SignInLink:
        """Create sign-in link. The link works once and for one day. It is meant for people
        who have forgotten their password. Only an operator creates one for an operator."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/people/{segment(id)}/sign-in-links",
        )
        answer: models.SignInLink = await self._transport.json(spec, options)
        return answer


class AsyncInvitations:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        role: Literal["owner", "builder", "viewer"],
        name: str | NotGiven = NOT_GIVEN,
        expires_in_hours: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.MadeInvitation:
        """Invite person. The invited person opens the link, chooses a password and joins
        the account. A caller whose scopes are limited cannot give a role with other
        scopes."""
        spec = RequestSpec(
            method="POST",
            path="/v1/invitations",
            body={
                "role": role,
                "name": name,
                "expires_in_hours": expires_in_hours,
            },
        )
        answer: models.MadeInvitation = await self._transport.json(spec, options)
        return answer

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.Invitation]:
        """List invitations. Those that are still open, most recent first."""
        spec = RequestSpec(
            method="GET",
            path="/v1/invitations",
            query={
                "limit": limit,
            },
        )
        return self._transport.pages(spec, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Withdraw invitation."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/invitations/{segment(id)}",
        )
        return await self._transport.nothing(spec, options)


class AsyncCalls:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.DeletionReceipt:
        """Delete call. Deletes a completed call with its transcript, its session and its
        webhook events, delivered or not. Its minutes still count."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/calls/{segment(id)}",
        )
        answer: models.DeletionReceipt = await self._transport.json(spec, options)
        return answer

    async def retrieve(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Call:
        """Retrieve call."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/calls/{segment(id)}",
        )
        answer: models.Call = await self._transport.json(spec, options)
        return answer

    async def create(
        self,
        *,
        agent_id: str,
        user_name: str | NotGiven = NOT_GIVEN,
        user_email: str | NotGiven = NOT_GIVEN,
        tags: dict[str, str] | NotGiven = NOT_GIVEN,
        video: models.VideoRequest | NotGiven = NOT_GIVEN,
        line_ticket: str | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.OpenedCall:
        """Start a call with an agent. Creates a room where the agent's avatar performs as
        the participant `avatar_worker`, and a token for one user. The call ends when
        the user leaves or at the agent's time limit. It counts as one session."""
        spec = RequestSpec(
            method="POST",
            path="/v1/calls",
            body={
                "agent_id": agent_id,
                "user_name": user_name,
                "user_email": user_email,
                "tags": tags,
                "video": video,
                "line_ticket": line_ticket,
            },
            takes_key=True,
        )
        answer: models.OpenedCall = await self._transport.json(spec, options)
        return answer

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        agent_id: str | NotGiven = NOT_GIVEN,
        rating: Literal["good", "bad"] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.Call]:
        """List calls. Most recent first. A cursor is valid only with the filter it was
        created with."""
        spec = RequestSpec(
            method="GET",
            path="/v1/calls",
            query={
                "limit": limit,
                "agent_id": agent_id,
                "rating": rating,
            },
        )
        return self._transport.pages(spec, options)

    async def messages(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.CallMessages:
        """List messages of a call. All messages, in spoken order."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/calls/{segment(id)}/messages",
        )
        answer: models.CallMessages = await self._transport.json(spec, options)
        return answer

    async def end(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Call:
        """End call. Agent and avatar leave, and the room closes. A call that has already
        ended is returned unchanged."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/calls/{segment(id)}/end",
        )
        answer: models.Call = await self._transport.json(spec, options)
        return answer

    async def create_token(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.CallToken:
        """Create room token of a call. Another token for the user, valid for ten minutes,
        to come back when the first one has expired. Connected users need none."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/calls/{segment(id)}/token",
        )
        answer: models.CallToken = await self._transport.json(spec, options)
        return answer


class AsyncConversations:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        agent_id: str | NotGiven = NOT_GIVEN,
        rating: Literal["good", "bad"] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.Call]:
        """List conversations. Most recent first. A cursor is valid only with the filter it
        was created with."""
        spec = RequestSpec(
            method="GET",
            path="/v1/conversations",
            query={
                "limit": limit,
                "agent_id": agent_id,
                "rating": rating,
            },
        )
        return self._transport.pages(spec, options)

    async def retrieve(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Call:
        """Retrieve conversation."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/conversations/{segment(id)}",
        )
        answer: models.Call = await self._transport.json(spec, options)
        return answer

    async def messages(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.CallMessages:
        """List messages of a conversation. All messages, in spoken order."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/conversations/{segment(id)}/messages",
        )
        answer: models.CallMessages = await self._transport.json(spec, options)
        return answer


class AsyncRooms:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        agent_id: str,
        user_name: str | NotGiven = NOT_GIVEN,
        user_email: str | NotGiven = NOT_GIVEN,
        tags: dict[str, str] | NotGiven = NOT_GIVEN,
        video: models.VideoRequest | NotGiven = NOT_GIVEN,
        line_ticket: str | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.OpenedCall:
        """Mint credentials for a room with an agent. Growth plan and above. Returns a
        call."""
        spec = RequestSpec(
            method="POST",
            path="/v1/mediaserver-rooms",
            body={
                "agent_id": agent_id,
                "user_name": user_name,
                "user_email": user_email,
                "tags": tags,
                "video": video,
                "line_ticket": line_ticket,
            },
            takes_key=True,
        )
        answer: models.OpenedCall = await self._transport.json(spec, options)
        return answer


class AsyncAgents:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        avatar_id: str,
        system_prompt: str | None | NotGiven = NOT_GIVEN,
        language: Literal[
            "ar", "bn", "bg", "zh", "cs", "da", "nl", "en", "en-AU", "en-GB", "en-US", "fi",
            "fr", "fr-CA", "fr-FR", "de", "el", "hi", "hu", "id", "it", "ja", "kk", "ko", "ms",
            "no", "pl", "pt", "pt-BR", "pt-PT", "ro", "ru", "sk", "es", "sv", "tr", "uk", "ur",
            "vi"
        ] | None | NotGiven = NOT_GIVEN,
        greeting: str | None | NotGiven = NOT_GIVEN,
        max_session_length_minutes: float | None | NotGiven = NOT_GIVEN,
        capabilities: List[models.AgentRequestCapabilitiesItemWebcamVision | models.AgentRequestCapabilitiesItemWakeupMode] | None | NotGiven = NOT_GIVEN,
        llm: models.AgentRequestLlmOpenai | models.AgentRequestLlmOpenaiCompatible | None | NotGiven = NOT_GIVEN,
        stt: models.AgentRequestStt | None | NotGiven = NOT_GIVEN,
        tts: models.AgentRequestTts | None | NotGiven = NOT_GIVEN,
        voice: Literal["nora", "ines", "theo", "samuel"] | None | NotGiven = NOT_GIVEN,
        turn_taking: models.AgentRequestTurnTaking | None | NotGiven = NOT_GIVEN,
        video: models.VideoRequest | None | NotGiven = NOT_GIVEN,
        embeddings: models.AgentRequestEmbeddings | None | NotGiven = NOT_GIVEN,
        knowledge_files: List[str] | None | NotGiven = NOT_GIVEN,
        allowed_origins: List[str] | None | NotGiven = NOT_GIVEN,
        limits: models.AgentRequestLimits | None | NotGiven = NOT_GIVEN,
        appearance: models.AgentRequestAppearance | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.Agent:
        """Create agent."""
        spec = RequestSpec(
            method="POST",
            path="/v1/agents",
            body={
                "name": name,
                "avatar_id": avatar_id,
                "system_prompt": system_prompt,
                "language": language,
                "greeting": greeting,
                "max_session_length_minutes": max_session_length_minutes,
                "capabilities": capabilities,
                "llm": llm,
                "stt": stt,
                "tts": tts,
                "voice": voice,
                "turn_taking": turn_taking,
                "video": video,
                "embeddings": embeddings,
                "knowledge_files": knowledge_files,
                "allowed_origins": allowed_origins,
                "limits": limits,
                "appearance": appearance,
            },
            takes_key=True,
        )
        answer: models.Agent = await self._transport.json(spec, options)
        return answer

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.Agent]:
        """List agents. Most recent first."""
        spec = RequestSpec(
            method="GET",
            path="/v1/agents",
            query={
                "limit": limit,
            },
        )
        return self._transport.pages(spec, options)

    async def retrieve(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Agent:
        """Retrieve agent."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/agents/{segment(id)}",
        )
        answer: models.Agent = await self._transport.json(spec, options)
        return answer

    async def update(
        self,
        id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        avatar_id: str | NotGiven = NOT_GIVEN,
        system_prompt: str | None | NotGiven = NOT_GIVEN,
        language: Literal[
            "ar", "bn", "bg", "zh", "cs", "da", "nl", "en", "en-AU", "en-GB", "en-US", "fi",
            "fr", "fr-CA", "fr-FR", "de", "el", "hi", "hu", "id", "it", "ja", "kk", "ko", "ms",
            "no", "pl", "pt", "pt-BR", "pt-PT", "ro", "ru", "sk", "es", "sv", "tr", "uk", "ur",
            "vi"
        ] | None | NotGiven = NOT_GIVEN,
        greeting: str | None | NotGiven = NOT_GIVEN,
        max_session_length_minutes: float | None | NotGiven = NOT_GIVEN,
        capabilities: List[models.AgentChangesCapabilitiesItemWebcamVision | models.AgentChangesCapabilitiesItemWakeupMode] | None | NotGiven = NOT_GIVEN,
        llm: models.AgentChangesLlmOpenai | models.AgentChangesLlmOpenaiCompatible | None | NotGiven = NOT_GIVEN,
        stt: models.AgentChangesStt | None | NotGiven = NOT_GIVEN,
        tts: models.AgentChangesTts | None | NotGiven = NOT_GIVEN,
        voice: Literal["nora", "ines", "theo", "samuel"] | None | NotGiven = NOT_GIVEN,
        turn_taking: models.AgentChangesTurnTaking | None | NotGiven = NOT_GIVEN,
        video: models.VideoRequest | None | NotGiven = NOT_GIVEN,
        embeddings: models.AgentChangesEmbeddings | None | NotGiven = NOT_GIVEN,
        knowledge_files: List[str] | None | NotGiven = NOT_GIVEN,
        allowed_origins: List[str] | None | NotGiven = NOT_GIVEN,
        limits: models.AgentChangesLimits | None | NotGiven = NOT_GIVEN,
        appearance: models.AgentChangesAppearance | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> None:
        """Update agent."""
        spec = RequestSpec(
            method="PATCH",
            path=f"/v1/agents/{segment(id)}",
            body={
                "name": name,
                "avatar_id": avatar_id,
                "system_prompt": system_prompt,
                "language": language,
                "greeting": greeting,
                "max_session_length_minutes": max_session_length_minutes,
                "capabilities": capabilities,
                "llm": llm,
                "stt": stt,
                "tts": tts,
                "voice": voice,
                "turn_taking": turn_taking,
                "video": video,
                "embeddings": embeddings,
                "knowledge_files": knowledge_files,
                "allowed_origins": allowed_origins,
                "limits": limits,
                "appearance": appearance,
            },
        )
        return await self._transport.nothing(spec, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete agent. Its calls are kept."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/agents/{segment(id)}",
        )
        return await self._transport.nothing(spec, options)

    async def create_link_secret(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.LinkSecret:
        """Make agent private. Creates the agent's link secret, or replaces it. From then
        on its room page needs a link token, which your backend makes: a JWT (HS256)
        signed with the secret, with the agent's id as `sub` and an `exp`. The link is
        `<chat_url>#token=<link token>`. Open calls go on."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/agents/{segment(id)}/link-secret",
        )
        answer: models.LinkSecret = await self._transport.json(spec, options)
        return answer

    async def delete_link_secret(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Make agent public. Deletes its link secret. Anyone with the address can talk to
        it again."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/agents/{segment(id)}/link-secret",
        )
        return await self._transport.nothing(spec, options)

    async def abilities(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Abilities:
        """Retrieve abilities of agent. Depends on the models of the agent and of the
        service, and on the connected agent workers."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/agents/{segment(id)}/abilities",
        )
        answer: models.Abilities = await self._transport.json(spec, options)
        return answer


class AsyncAbilities:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.Abilities:
        """Retrieve abilities of the service. Those of an agent without models of its own."""
        spec = RequestSpec(
            method="GET",
            path="/v1/abilities",
        )
        answer: models.Abilities = await self._transport.json(spec, options)
        return answer


class AsyncVoices:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.VoiceList:
        """List voices. Voices for agents without `tts`. The first is the default of
        avatars whose `voice` is null."""
        spec = RequestSpec(
            method="GET",
            path="/v1/voices",
        )
        answer: models.VoiceList = await self._transport.json(spec, options)
        return answer


class AsyncKnowledgeFiles:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        format: Literal["text", "pdf"],
        content: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.KnowledgeFile:
        """Create knowledge file. A text file given with its `content` is available at
        once. Any other file is uploaded in chunks and then submitted. The plan limits
        how many files and bytes an account may store."""
        spec = RequestSpec(
            method="POST",
            path="/v1/knowledge-files",
            body={
                "name": name,
                "format": format,
                "content": content,
            },
            takes_key=True,
        )
        answer: models.KnowledgeFile = await self._transport.json(spec, options)
        return answer

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.ListedKnowledgeFile]:
        """List knowledge files. Most recent first, without their texts."""
        spec = RequestSpec(
            method="GET",
            path="/v1/knowledge-files",
            query={
                "limit": limit,
            },
        )
        return self._transport.pages(spec, options)

    async def retrieve(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.KnowledgeFile:
        """Retrieve knowledge file. Includes the text once the file is available."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/knowledge-files/{segment(id)}",
        )
        answer: models.KnowledgeFile = await self._transport.json(spec, options)
        return answer

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete knowledge file. Refused while an agent uses it; the error names the
        agents."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/knowledge-files/{segment(id)}",
        )
        return await self._transport.nothing(spec, options)

    async def upload(
        self,
        id: str,
        content: bytes,
        *,
        chunk_number: int,
        options: RequestOptions | None = None,
    ) -> None:
        """Upload knowledge file chunk. The bytes of one chunk, of any content type. Chunks
        may arrive in any order; a repeated number replaces the earlier chunk. At most 8
        MiB per chunk and 64 MiB per file. A file that gets no chunk for 24 hours and is
        not submitted is deleted."""
        spec = RequestSpec(
            method="PUT",
            path=f"/v1/knowledge-files/{segment(id)}/upload",
            query={
                "chunk_number": chunk_number,
            },
            content=content,
        )
        return await self._transport.nothing(spec, options)

    async def submit(
        self,
        id: str,
        *,
        chunks: int | NotGiven = NOT_GIVEN,
        size: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.AvailableKnowledgeFile:
        """Submit knowledge file. Joins the chunks, extracts the text and makes the file
        available. A file that is already available is returned unchanged. State their
        totals to be sure that none is lost. 400 names a missing chunk or says why the
        bytes do not match the format: text must be UTF-8; at most 5000 pages of a PDF
        are read, within 20 seconds, and a PDF without text is refused. An account may
        submit 16 files at a time, of which 2 PDFs."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/knowledge-files/{segment(id)}/submit",
            query={
                "chunks": chunks,
                "size": size,
            },
        )
        answer: models.AvailableKnowledgeFile = await self._transport.json(spec, options)
        return answer


class AsyncExternalApis:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        type: Literal[
            "openai_compatible_llm", "openai_compatible_stt", "openai_compatible_tts",
            "openai_compatible_embeddings"
        ],
        name: str,
        url: str,
        api_key: str,
        options: RequestOptions | None = None,
    ) -> models.ExternalApi:
        """Create external API."""
        spec = RequestSpec(
            method="POST",
            path="/v1/external-apis",
            body={
                "type": type,
                "name": name,
                "url": url,
                "api_key": api_key,
            },
            takes_key=True,
        )
        answer: models.ExternalApi = await self._transport.json(spec, options)
        return answer

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.ExternalApi]:
        """List external APIs. Most recent first."""
        spec = RequestSpec(
            method="GET",
            path="/v1/external-apis",
            query={
                "limit": limit,
            },
        )
        return self._transport.pages(spec, options)

    async def retrieve(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ExternalApi:
        """Retrieve external API."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/external-apis/{segment(id)}",
        )
        answer: models.ExternalApi = await self._transport.json(spec, options)
        return answer

    async def update(
        self,
        id: str,
        *,
        type: Literal[
            "openai_compatible_llm", "openai_compatible_stt", "openai_compatible_tts",
            "openai_compatible_embeddings"
        ] | NotGiven = NOT_GIVEN,
        name: str | NotGiven = NOT_GIVEN,
        url: str | NotGiven = NOT_GIVEN,
        api_key: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> None:
        """Update external API."""
        spec = RequestSpec(
            method="PATCH",
            path=f"/v1/external-apis/{segment(id)}",
            body={
                "type": type,
                "name": name,
                "url": url,
                "api_key": api_key,
            },
        )
        return await self._transport.nothing(spec, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete external API. Refused while an agent uses it; the error names the agents."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/external-apis/{segment(id)}",
        )
        return await self._transport.nothing(spec, options)

    async def check(
        self,
        id: str,
        *,
        model: str | NotGiven = NOT_GIVEN,
        voice: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.ExternalApiCheck:
        """Check external API. Sends a test request with the stored key: a short question
        to a language model, half a second of silence to speech to text, one word to
        text to speech or embeddings."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/external-apis/{segment(id)}/check",
            body={
                "model": model,
                "voice": voice,
            },
        )
        answer: models.ExternalApiCheck = await self._transport.json(spec, options)
        return answer


class AsyncWebhooks:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        url: str,
        events: List[Literal[
            "session.started", "session.ended", "session.quality_changed", "call.started",
            "call.ended", "call.rated", "message", "agent.budget_reached", "avatar.ready",
            "test"
        ]],
        description: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.WebhookWithSecret:
        """Create webhook. Events are posted to it from now on, starting with a `test`. At
        most 50 per account."""
        spec = RequestSpec(
            method="POST",
            path="/v1/webhooks",
            body={
                "url": url,
                "events": events,
                "description": description,
            },
            takes_key=True,
        )
        answer: models.WebhookWithSecret = await self._transport.json(spec, options)
        return answer

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.Webhook]:
        """List webhooks. Most recent first."""
        spec = RequestSpec(
            method="GET",
            path="/v1/webhooks",
            query={
                "limit": limit,
            },
        )
        return self._transport.pages(spec, options)

    async def retrieve(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Webhook:
        """Retrieve webhook."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/webhooks/{segment(id)}",
        )
        answer: models.Webhook = await self._transport.json(spec, options)
        return answer

    async def update(
        self,
        id: str,
        *,
        url: str | NotGiven = NOT_GIVEN,
        events: List[Literal[
            "session.started", "session.ended", "session.quality_changed", "call.started",
            "call.ended", "call.rated", "message", "agent.budget_reached", "avatar.ready",
            "test"
        ]] | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        status: Literal["enabled", "disabled"] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> None:
        """Update webhook. Omitted fields keep their values. A `test` event is sent when
        the URL changes or the webhook is enabled again."""
        spec = RequestSpec(
            method="PATCH",
            path=f"/v1/webhooks/{segment(id)}",
            body={
                "url": url,
                "events": events,
                "description": description,
                "status": status,
            },
        )
        return await self._transport.nothing(spec, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete webhook. Pending deliveries are deleted too."""
        spec = RequestSpec(
            method="DELETE",
            path=f"/v1/webhooks/{segment(id)}",
        )
        return await self._transport.nothing(spec, options)

    async def rotate_secret(
        self,
        id: str,
        *,
        overlap_hours: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> models.WebhookWithSecret:
        """Rotate webhook secret. Deliveries are signed with both secrets for
        `overlap_hours`, so that receivers can change without a gap, and then with the
        new one only. Use 0 if the former secret is known to others."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/webhooks/{segment(id)}/rotate-secret",
            query={
                "overlap_hours": overlap_hours,
            },
        )
        answer: models.WebhookWithSecret = await self._transport.json(spec, options)
        return answer

    def deliveries(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        status: Literal["pending", "delivered", "failed"] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.WebhookDelivery]:
        """List webhook deliveries. Most recent first. Deliveries are deleted after 30
        days, or as RETENTION_DAYS says."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/webhooks/{segment(id)}/deliveries",
            query={
                "limit": limit,
                "status": status,
            },
        )
        return self._transport.pages(spec, options)

    async def delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.WebhookDeliveryWithBody:
        """Retrieve webhook delivery. With the body that is sent."""
        spec = RequestSpec(
            method="GET",
            path=f"/v1/webhooks/{segment(id)}/deliveries/{segment(delivery_id)}",
        )
        answer: models.WebhookDeliveryWithBody = await self._transport.json(spec, options)
        return answer

    async def test(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.WebhookDelivery:
        """Test webhook. Sends a `test` event, even if the webhook does not subscribe to
        it."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/webhooks/{segment(id)}/test",
        )
        answer: models.WebhookDelivery = await self._transport.json(spec, options)
        return answer

    async def redeliver(
        self,
        id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.WebhookDelivery:
        """Redeliver to webhook. Tries the delivery again as if it were new, in any state,
        after the deliveries that must arrive before it."""
        spec = RequestSpec(
            method="POST",
            path=f"/v1/webhooks/{segment(id)}/deliveries/{segment(delivery_id)}/redeliver",
        )
        answer: models.WebhookDelivery = await self._transport.json(spec, options)
        return answer


class AsyncResources:
    def __init__(self, transport: AsyncTransport) -> None:
        self.auth = AsyncAuth(transport)
        self.fleet = AsyncFleet(transport)
        self.export = AsyncExport(transport)
        self.avatars = AsyncAvatars(transport)
        self.sessions = AsyncSessions(transport)
        self.events = AsyncEvents(transport)
        self.account = AsyncAccount(transport)
        self.usage = AsyncUsage(transport)
        self.request_log = AsyncRequestLog(transport)
        self.history = AsyncHistory(transport)
        self.audit_log = AsyncAuditLog(transport)
        self.api_keys = AsyncApiKeys(transport)
        self.people = AsyncPeople(transport)
        self.invitations = AsyncInvitations(transport)
        self.calls = AsyncCalls(transport)
        self.conversations = AsyncConversations(transport)
        self.rooms = AsyncRooms(transport)
        self.agents = AsyncAgents(transport)
        self.abilities = AsyncAbilities(transport)
        self.voices = AsyncVoices(transport)
        self.knowledge_files = AsyncKnowledgeFiles(transport)
        self.external_apis = AsyncExternalApis(transport)
        self.webhooks = AsyncWebhooks(transport)
