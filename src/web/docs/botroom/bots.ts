/* Texts on bots that Troupe connects to. */

export const botTransport = `transport = SingleClientWebsocketServerTransport(
    SingleClientWebsocketServerParams(
        serializer=ProtobufFrameSerializer(), audio_in_enabled=True, audio_out_enabled=True
    ),
    host="127.0.0.1",
    port=8765,
)`;

export const botFacts = [
  [
    'When it is called',
    'Once the face is in the room and a visitor hears it, so that no greeting is lost. A room that nobody enters ends after two minutes, and your bot is never called.',
  ],
  [
    'What it sends',
    'Audio at 8 to 48 kHz, in real time or faster. An utterance ends with the RTVI message bot-stopped-speaking, or after 0.3 seconds without sound. An interruption frame silences the face.',
  ],
  [
    'What it hears',
    'The microphone of the first person who has one: mono, 16 kHz, frames of 20 ms. Of a bot that does not read, ten seconds are kept.',
  ],
  [
    'It restarts',
    'The connection is made again for ten seconds, and after a move of the session to another worker. Each is a new conversation for the bot. Without it, the session ends with agent_left.',
  ],
  [
    'It hangs up',
    'With close code 1000 it has ended the conversation: the session ends ten seconds later with agent_left.',
  ],
  [
    'It refuses',
    'The session ends with room_refused, and end_detail says why: 401, 404, a redirect, a certificate, a close code of 1008 or from 4000, or frames that are not Pipecat’s. While it is busy (429, 5xx) or not there, it is asked for ten seconds.',
  ],
] as const;
