"""
The backend of an application: it starts calls for its users, and receives Troupe's events. `POST /calls` answers with the address of a room
and a token for it; the key of the service never leaves this program.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI, HTTPException, Request, Response
from troupe_sdk import AsyncTroupe, WebhookVerificationError, verify_webhook

PORT = int(os.environ.get("APP_PORT", "8000"))
# As Troupe reaches it.
ADDRESS = os.environ.get("APP_URL", f"http://127.0.0.1:{PORT}")
VIEWER = os.environ.get("VIEWER_URL", "http://127.0.0.1:8090")


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncTroupe() as troupe:
        agent = await troupe.agents.create(
            name="Nora", avatar_id=os.environ.get("AVATAR", "nora"), greeting="Hello! It is lovely to meet you."
        )
        webhook = await troupe.webhooks.create(
            url=f"{ADDRESS}/troupe", events=["call.started", "message", "call.ended"]
        )
        app.state.troupe, app.state.agent_id, app.state.secret = troupe, agent["id"], webhook["secret"]
        yield
        await troupe.webhooks.delete(webhook["id"])
        await troupe.agents.delete(agent["id"])


app = FastAPI(lifespan=lifespan)


@app.post("/calls", status_code=201)
async def start_call() -> dict[str, str]:
    call = await app.state.troupe.calls.create(agent_id=app.state.agent_id)
    url, token = call["livekit_url"], call["livekit_token"]
    return {"id": call["id"], "url": url, "token": token, "watch": f"{VIEWER}/#url={url}&token={token}"}


@app.post("/troupe")
async def receive(request: Request) -> Response:
    try:
        event = verify_webhook(await request.body(), request.headers, secret=app.state.secret)
    except WebhookVerificationError as error:
        raise HTTPException(400, str(error)) from error
    # An event may arrive twice, with the same `webhook-id`: keep the ids that you have handled.
    print(event["type"], event["data"].get("message", ""), flush=True)
    return Response(status_code=204)


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=PORT)
