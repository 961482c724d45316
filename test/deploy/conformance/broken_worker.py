"""The example worker with one fault, which the conformance kit must find: `python broken_worker.py FAULT`."""

import asyncio
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "deploy/examples/python-worker"))
import worker
from worker import Session, Worker, rtc

FAULTS = {}


def fault(break_it):
    FAULTS[break_it.__name__] = break_it


def silence(*types):
    """Never sends these messages."""
    send = Worker.send
    Worker.send = lambda self, type, **fields: None if type in types else send(self, type, **fields)


@fault
def never_accepts():
    silence("accepted")


@fault
def shows_nothing():
    rtc.VideoSource.capture_frame = lambda *_: None


@fault
def says_nothing():
    async def play(self, segment, frames):
        for frame in frames:
            await asyncio.sleep(frame.duration)
            self.segments[segment] += frame.duration

    Session.play = play


@fault
def reports_half():
    tell = Session.tell_finished
    Session.tell_finished = lambda self, position, interrupted: tell(self, position / 2, interrupted)


@fault
def reports_twice():
    tell = Session.tell_finished

    async def tell_finished(self, *event):
        await tell(self, *event)
        await tell(self, *event)

    Session.tell_finished = tell_finished


@fault
def speaks_on():
    """After an interruption."""

    async def clear(self, _):
        for segment, position in self.segments.items():
            asyncio.create_task(self.tell_finished(position, True))
        self.segments = dict.fromkeys([], 0)
        return "ok"

    async def play(self, segment, frames):
        for frame in frames:
            await self.sound.capture_frame(frame)
            self.segments[segment] = self.segments.get(segment, 0) + frame.duration

    Session.clear, Session.play = clear, play


@fault
def leaks_speech():
    """Into the other sessions."""
    play = Session.play

    async def play_everywhere(self, segment, frames):
        others = [one for one in self.worker.sessions.values() if one is not self]
        for one in others:
            for frame in frames:
                await one.sound.capture_frame(frame)
        await play(self, segment, frames)

    Session.play = play_everywhere


@fault
def dies_of_unknown_messages():
    receive = Worker.receive

    def strict(self, message):
        if message["type"] == "sing":
            os._exit(1)
        receive(self, message)

    Worker.receive = strict


@fault
def forgets_its_sessions():
    register = Worker.register
    Worker.register = lambda self: {**register(self), "performing": []}


@fault
def waits_for_ever():
    """On a silent connection."""
    Worker.silent_seconds = property(lambda _: None, lambda *_: None)


@fault
def reports_once():
    tell = Worker.tell_all

    def tell_all(self, drain=False):
        tell(self, drain)
        self.outbox = {id: report for id, report in self.outbox.items() if report[1]["type"] != "ended"}

    Worker.tell_all = tell_all


@fault
def leaves_in_between():
    """Takes its agent for gone."""
    Session.watch_agent = lambda self, *_: asyncio.get_running_loop().call_later(6, self.end, "agent_left")


@fault
def loses_speech():
    """After five seconds of a segment."""
    play = Session.play

    async def play_in_part(self, segment, frames):
        if self.segments[segment] < 5:
            return await play(self, segment, frames)
        for frame in frames:
            await asyncio.sleep(frame.duration)
            self.segments[segment] += frame.duration

    Session.play = play_in_part


@fault
def answers_no_pings():
    silence("pong")


@fault
def has_no_heartbeat():
    silence("beat")


@fault
def drops_sessions_when_drained():
    tell = Worker.tell_all

    def tell_all(self, drain=False):
        tell(self, drain)
        if drain:
            asyncio.get_running_loop().call_later(0.3, os._exit, 0)

    Worker.tell_all = tell_all


@fault
def drains_with_an_error():
    beat = Worker.beat

    async def drained(self):
        await beat(self)
        os._exit(3)

    Worker.beat = drained


@fault
def hides_its_progress():
    silence("speech")


@fault
def hammers():
    worker.NO_RETURN = set()
    worker.random.uniform = lambda *_: 0.05


FAULTS[sys.argv[1]]()
asyncio.run(worker.main())
