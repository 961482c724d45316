"""Avatar sessions of published plugins, created by the line in our documentation."""

import importlib
import importlib.metadata
from types import SimpleNamespace

from PIL import Image

# As large as a photo: noise does not compress.
PICTURE = Image.effect_noise((1400, 1400), 90).convert("RGB")


def load(line: str) -> str:
    """Loads the plugin that `line` begins with. Plugins must be imported on the main thread. Returns the package's name."""
    plugin = line.split(".", 1)[0]
    if plugin == "inference":
        module, package = "livekit.agents.inference", "livekit-agents"
    else:
        module, package = f"livekit.plugins.{plugin}", f"livekit-plugins-{plugin}"
    globals()[plugin] = importlib.import_module(module)
    return package


def face_of(line: str) -> SimpleNamespace:
    avatar = eval(line)
    return SimpleNamespace(
        avatar=avatar,
        # Older versions have no public name for it.
        identity=getattr(avatar, "avatar_identity", None) or avatar._avatar_participant_identity,
        version=importlib.metadata.version(load(line)),
    )
