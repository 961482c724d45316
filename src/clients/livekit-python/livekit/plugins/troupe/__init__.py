"""Troupe plugin for LiveKit Agents

Avatars of a self-hosted Troupe service join the room and say what the agent says.
"""

from .avatar import AvatarSession, TroupeException
from .version import __version__

__all__ = [
    "AvatarSession",
    "TroupeException",
    "__version__",
]

from livekit.agents import Plugin

from .log import logger


class TroupePlugin(Plugin):
    def __init__(self) -> None:
        super().__init__(__name__, __version__, __package__, logger)


Plugin.register_plugin(TroupePlugin())

# Cleanup docs of unexported modules
_module = dir()
NOT_IN_ALL = [m for m in _module if m not in __all__]

__pdoc__ = {}

for n in NOT_IN_ALL:
    __pdoc__[n] = False
