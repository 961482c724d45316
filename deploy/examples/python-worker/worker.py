"""A Troupe avatar worker: a still picture with the agent's voice. README.md shows how to run and certify it."""
import aiohttp, asyncio, contextlib, io, json, os, random, signal, sys, time, uuid
from livekit import rtc
from PIL import Image
CONTROL_URL = os.environ.get("CONTROL_URL", "http://127.0.0.1:8080").rstrip("/")
TOKEN, POOL = os.environ["WORKER_TOKEN"], os.environ.get("WORKER_POOL", "default")
AVATARS = os.environ.get("AVATARS", "5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401").split(",")  # the built-in avatar Nora
SLOTS, RATE, QUEUE_MS, FPS, NO_RETURN = int(os.environ.get("WORKER_SLOTS", "4")), 48_000, 60, 10, {4003, 4004, 4009}

class Session:
    def __init__(self, worker, assign):
        self.worker, self.assign, self.placement = worker, assign, assign["placement"]
        self.room, self.sound, self.turn = rtc.Room(), rtc.AudioSource(RATE, 1, QUEUE_MS), asyncio.Lock()
        self.agent, self.leaving, self.segments = None, None, {}  # positions in seconds by task
        self.performing = asyncio.create_task(self.perform())
    async def perform(self):
        room, size = self.assign["room"], (self.assign["video"]["width"], self.assign["video"]["height"])
        for event in ("participant_connected", "participant_disconnected"): self.room.on(event, self.watch_agent)
        self.room.on("disconnected", lambda *_: self.end("room_closed"))
        try: await self.room.connect(room["url"], room["token"], rtc.RoomOptions(auto_subscribe=False))
        except rtc.ConnectError: return self.end("room_refused")
        me, source, options = self.room.local_participant, rtc.TrackSource, rtc.TrackPublishOptions
        self.agent = me.attributes.get("lk.publish_on_behalf")
        me.register_rpc_method("lk.clear_buffer", self.clear)
        # A takeover interrupts the open segments, and a segment that no worker received.
        for position in [*self.assign.get("unanswered", []), 0] if self.placement["epoch"] > 1 or "unanswered" in self.assign else []:
            await self.tell_finished(position, True)
        self.room.register_byte_stream_handler("lk.audio_stream", self.accept)
        async with self.worker.http.get(f"{CONTROL_URL}/avatars/{self.assign['avatarId']}/picture") as answer:
            picture = Image.open(io.BytesIO(await answer.read())).convert("RGBA").resize(size)
        frame, video = rtc.VideoFrame(*size, rtc.VideoBufferType.RGBA, picture.tobytes()), rtc.VideoSource(*size)
        camera, voice = rtc.LocalVideoTrack.create_video_track, rtc.LocalAudioTrack.create_audio_track
        await me.publish_track(camera("video", video), options(source=source.SOURCE_CAMERA, simulcast=False))
        await me.publish_track(voice("audio", self.sound), options(source=source.SOURCE_MICROPHONE, dtx=False))
        video.capture_frame(frame)
        self.worker.report("started", self.placement)
        self.watch_agent()
        told = []
        while not await asyncio.sleep(1 / FPS):
            video.capture_frame(frame)
            if self.segments or told:
                self.worker.send("speech", placement=self.placement, open=(told := [*self.segments.values()]))
    def accept(self, reader, identity):
        if identity == self.agent: self.segments[asyncio.create_task(self.speak(reader))] = 0
    async def speak(self, reader):
        segment, rate, sound = asyncio.current_task(), int(reader.info.attributes["sample_rate"]), bytearray()
        resampler, step = rtc.AudioResampler(rate, RATE), 2 * rate // 50
        async with self.turn:  # after the segments before it
            async for chunk in reader:
                sound += chunk
                while len(sound) >= step:
                    await self.play(segment, resampler.push(sound[:step]))
                    del sound[:step]
            await self.play(segment, resampler.push(sound) + resampler.flush())
            await self.tell_finished(self.segments.pop(segment), False)
    async def play(self, segment, frames):
        for frame in frames:
            await self.sound.capture_frame(frame)  # waits while the queue is full
            self.segments[segment] += frame.duration
    async def clear(self, call):  # from the agent: silence at once, and one report for each open segment
        queued, dropped, self.segments = self.sound.queued_duration, self.segments, {}
        self.sound.clear_queue()
        for segment in dropped: segment.cancel()
        for position in dropped.values(): asyncio.create_task(self.tell_finished(max(0, position - queued), True))
        return "ok"
    async def tell_finished(self, position, interrupted):
        payload = json.dumps({"playback_position": position, "interrupted": interrupted})
        call = {"destination_identity": self.agent, "method": "lk.playback_finished", "payload": payload}
        with contextlib.suppress(rtc.RpcError): await self.room.local_participant.perform_rpc(**call)
    def watch_agent(self, *_):  # it may come back within ten seconds
        if self.leaving: self.leaving.cancel()
        here = self.agent in self.room.remote_participants
        self.leaving = None if here else asyncio.get_running_loop().call_later(10, self.end, "agent_left")
    def end(self, reason=None):  # without a reason nothing is reported: another worker has the session
        if self.worker.sessions.get(self.placement["sessionId"]) is self:
            del self.worker.sessions[self.placement["sessionId"]]
            for task in filter(None, [self.performing, *self.segments, self.leaving]): task.cancel()
            self.worker.partings.append(asyncio.create_task(self.part(reason)))
            if reason: self.worker.report("ended", self.placement, reason=reason)
    async def part(self, reason):  # an agent that is here first gets a report on each open segment
        queued, positions = self.sound.queued_duration, self.segments.values() if reason else []
        tells = [asyncio.create_task(self.tell_finished(max(0, position - queued), True)) for position in positions]
        if tells: await asyncio.wait(tells, timeout=1)
        await self.room.disconnect()

class Worker:
    def __init__(self, http):
        self.http, self.socket, self.is_draining, self.silent_seconds = http, None, False, 5
        self.id, self.sessions, self.outbox, self.partings = f"python-{uuid.uuid4()}", {}, {}, []
    def send(self, type, **fields):
        if self.socket and not self.socket.closed: asyncio.create_task(self.socket.send_json({"type": type, **fields}))
    def report(self, type, placement, **fields):  # repeated until it is acknowledged
        self.outbox[str(uuid.uuid4())] = (time.monotonic(), {"type": type, "placement": placement, **fields})
        self.tell_all()
    def tell_all(self, drain=False):
        self.is_draining |= drain
        self.send("load", performing=len(self.sessions), lateFrames=0, draining=self.is_draining)
        for id, (at, report) in self.outbox.items(): self.send(**report, id=id, agoMs=1000 * (time.monotonic() - at))
    def receive(self, message):  # what matches no case is ignored: newer control planes send more
        match message:
            case {"type": "registered", "pingEveryMs": ping_ms}:
                self.silent_seconds = 3 * ping_ms / 1000
                self.tell_all()
            case {"type": "ping"}: self.send("pong")
            case {"type": "ack", "id": id}: self.outbox.pop(id, None)
            case {"type": "drain"}: self.tell_all(drain=True)
            case {"type": "assign", "placement": {"sessionId": id} as placement, "room": _}:
                self.take(message, placement, self.sessions.get(id))
            case {"type": "end" | "drop" as type, "placement": {"sessionId": id} as placement}:
                session = self.sessions.get(id)
                if session and session.placement == placement: session.end(message.get("reason"))
                elif type == "end": self.report("ended", placement, reason=message.get("reason"))
    def take(self, assign, placement, session):
        if not session or session.placement != placement:  # else the first answer was lost
            if session: session.end()
            if self.is_draining or len(self.sessions) >= SLOTS: return self.send("refused", placement=placement, why="full")
            self.sessions[placement["sessionId"]] = Session(self, assign)
            self.send("beat", performing=len(self.sessions))
        self.send("accepted", placement=placement)
    async def beat(self):  # until it is drained
        beaten = count = 0
        while not self.is_draining or self.sessions or self.outbox:
            await asyncio.sleep(0.5)
            if self.sessions or beaten: self.send("beat", performing=(beaten := len(self.sessions)))
            if (count := count + 1) % 10 == 0: self.tell_all()
        await asyncio.gather(*self.partings)
    async def serve(self):  # until it is refused for good: wrong token, wrong protocol version, or replaced
        failures, url, timeout = 0, f"{CONTROL_URL}/worker-gateway", aiohttp.ClientWSTimeout(ws_close=1)
        while not self.socket or self.socket.close_code not in NO_RETURN:
            with contextlib.suppress(aiohttp.ClientError, TimeoutError):
                async with self.http.ws_connect(url, timeout=timeout) as self.socket:
                    await self.socket.send_json(self.register())
                    while (message := await self.socket.receive(self.silent_seconds)).type is aiohttp.WSMsgType.TEXT:
                        failures = 0
                        with contextlib.suppress(json.JSONDecodeError): self.receive(message.json())
            await asyncio.sleep(random.uniform(0.5, 1) * min(2, 0.1 * 2 ** (failures := failures + 1)))
    def register(self):
        performing = [session.placement for session in self.sessions.values()]
        performing += [report["placement"] for _, report in self.outbox.values() if report["type"] == "ended"]
        return {"type": "register", "protocol": 1, "workerId": self.id, "kind": "avatar", "version": "python 1", "slots": SLOTS,
                "transports": ["mediaserver"], "avatars": AVATARS, "performing": performing, "pool": POOL}

async def main():
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {TOKEN}"}) as http:
        worker = Worker(http)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.tell_all, True)
        drained, refused = asyncio.create_task(worker.beat()), asyncio.create_task(worker.serve())
        await asyncio.wait([drained, refused], return_when=asyncio.FIRST_COMPLETED)
        sys.exit(0 if drained.done() else "the control plane refuses this worker")
if __name__ == "__main__": asyncio.run(main())
