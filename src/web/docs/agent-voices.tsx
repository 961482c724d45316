import { AGENT_EPOCH, AGENT_LOST, HEARS, HUSH, TEXT_IGNORED } from '#protocol/room-terms.ts';
import { Meanings } from './meanings.tsx';

const voices: Record<string, string> = {
  tts: 'The agent’s setting: any voice and language of an OpenAI-compatible endpoint.',
  hibari:
    'A natural American English voice that runs on the worker. If Python 3 is available, npm start installs it into DATA_DIR in the background (about 150 MB, once).',
  flite: 'A small English voice that is built in and always available.',
  'no voice':
    'For an agent that speaks another language and has no tts. Its answers appear as text at speaking pace, and its worker logs a warning.',
};

const environment: Record<string, string> = {
  AGENT_SLOTS:
    'Number of calls per agent worker. Default: eight per core. With 0, npm start runs no agent worker.',
  USER_GRACE_SECONDS: 'How long a call continues after its user has left. Default: 60.',
  VOICE: 'hibari, or flite, which needs no installation.',
  SHERPA_MODEL_DIR:
    'Folder of a sherpa-onnx model (transducer, Whisper, or Moonshine with a merged decoder). Agents without an stt use it to recognise speech. Requires npm install sherpa-onnx-node.',
};

const signals: Record<string, string> = {
  [HEARS]:
    'Attribute of the agent: yes, or no if it has no speech recognition and understands text only.',
  [AGENT_EPOCH]: 'Attribute of the agent. It rises with each worker that takes over the call.',
  [AGENT_LOST]:
    'Key in the JSON metadata of the room: the epoch of a lost agent. An agent with a higher epoch has replaced it.',
  [HUSH]:
    'Topic of a data message to the user: the agent was interrupted. A page that mutes the face until it is silent, as our room page does, skips the audio left in its buffer.',
  [TEXT_IGNORED]:
    "Topic of a data message to the user: the agent ignored a typed text. The payload is the reason: too_fast (20 texts a minute), too_many (1,000 a call), or incomplete (the text's end did not come).",
};

/** Speech synthesis and recognition without an external API. */
export function AgentVoices() {
  return (
    <section aria-labelledby="voices">
      <h2 id="voices">Voices</h2>
      <p>
        An agent uses the first available voice in this list, sentence by sentence. If a voice
        fails, the next one speaks the sentence.
      </p>
      <Meanings of={voices} />
      <p>These variables configure the agent worker:</p>
      <Meanings of={environment} />
      <p>Your own page can follow an agent through these attributes and messages:</p>
      <Meanings of={signals} />
    </section>
  );
}
