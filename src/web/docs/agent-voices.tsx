import { Meanings } from './meanings.tsx';

const voices: Record<string, string> = {
  'its tts': 'Any voice and language, at an endpoint that speaks as OpenAI’s does.',
  hibari:
    'A natural American English voice on the worker’s own machine. npm start installs it into DATA_DIR (some 150 MB, once, in the background) where there is Python 3.',
  flite: 'A small English voice inside the service, which is always there.',
  'none of them':
    'An agent of another language without a tts: what it says is shown as it would be spoken, and the log of its worker says so.',
};

const environment: Record<string, string> = {
  AGENT_SLOTS:
    'How many calls one agent worker holds at once; eight for each core. With 0, npm start runs none.',
  USER_GRACE_SECONDS: 'How long a call goes on after its user has left; 60 by default.',
  VOICE: 'hibari, or flite, which installs nothing.',
  SHERPA_MODEL_DIR:
    'A folder with a transducer, a Whisper or a Moonshine (merged decoder) of sherpa-onnx: agents without an stt then hear by it. Needs npm install sherpa-onnx-node.',
};

/** Who speaks for an agent, and how it hears, where no endpoint is named. */
export function AgentVoices() {
  return (
    <section aria-labelledby="voices">
      <h2 id="voices">Voices</h2>
      <p>
        The first of these that can speaks, sentence by sentence; when it fails, the next one takes
        the sentence.
      </p>
      <Meanings of={voices} />
      <p>
        Without an <code>stt</code> an agent understands what is written, and its participant says
        so by the attribute <code>troupe.hears</code>. Its attribute <code>troupe.epoch</code> rises
        with each worker that takes the call over; when one is lost, the metadata of the room, which
        is JSON, names its epoch as <code>troupe.agent_lost</code>: an agent of a higher one is
        there again. When it is interrupted, its user gets data of the topic{' '}
        <code>troupe.hush</code>: a page that mutes the face’s sound until silence comes, as our
        room page does, plays nothing of what its buffer still holds. These variables are the agent
        worker’s:
      </p>
      <Meanings of={environment} />
    </section>
  );
}
