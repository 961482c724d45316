# Needs the package websockets. python client.py speech.wav (16 bits a sample)
import asyncio, json, os, struct, sys, urllib.request, wave
from websockets.asyncio.client import connect

TROUPE = os.environ.get("TROUPE_URL", "http://127.0.0.1:8080")
AUDIO, FLUSH, CLOSE, READY, VIDEO, ERROR = 0x01, 0x02, 0x05, 0x10, 0x11, 0x13
HELLO, PLAYBACK = 0x20, 0x21

def open_session(avatar):
    body = json.dumps({"transport": "botroom", "avatar_id": avatar}).encode()
    headers = {"x-api-key": os.environ["TROUPE_API_KEY"], "content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(TROUPE + "/v1/sessions", body, headers)) as answer:
        return json.load(answer)

def record(kind, header=None, blob=b""):
    head = json.dumps(header).encode() if header else b""
    return struct.pack(">IBI", 5 + len(head) + len(blob), kind, len(head)) + head + blob

def read(message):
    _, kind, size = struct.unpack_from(">IBI", message)
    return kind, json.loads(message[9 : 9 + size] or b"{}"), message[9 + size :]

async def speak(path):
    speech = wave.open(path)
    format = {"sample_rate": speech.getframerate(), "num_channels": speech.getnchannels()}
    session = open_session("nora")
    protocols = ["protoface.pipecat.media.v1", session["token"]]
    pictures, heard = 0, None
    async with connect(session["url"], subprotocols=protocols, compression=None) as socket:
        await socket.send(record(HELLO, {"version": 1, "wants": ["playback"]}))
        async for message in socket:
            kind, header, blob = read(message)
            if kind == READY:
                while part := speech.readframes(speech.getframerate() // 10):
                    await socket.send(record(AUDIO, format, part))
                await socket.send(record(FLUSH))
            elif kind == VIDEO:
                pictures += 1
                open(f"picture-{pictures:04}.jpg", "wb").write(blob)
            elif kind == AUDIO:
                if heard is None:
                    heard = wave.open("heard.wav", "wb")
                    heard.setparams((header["num_channels"], 2, header["sample_rate"], 0, "NONE", ""))
                heard.writeframes(blob)
            elif kind == PLAYBACK and header["event"] == "finished":
                await socket.send(record(CLOSE))
            elif kind == ERROR:
                print(header["message"])
    print(f"{pictures} pictures, and the sound in heard.wav")

asyncio.run(speak(sys.argv[1]))
