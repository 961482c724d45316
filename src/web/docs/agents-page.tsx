import './docs.css';
import { AgentKnowledge } from './agent-knowledge.tsx';
import { AgentVoices } from './agent-voices.tsx';
import { Code } from './code.tsx';
import { Meanings } from './meanings.tsx';

const settings: Record<string, string> = {
  name: 'What the agent is called, also before its users.',
  avatar_id: 'The face. One that is kept for others by now opens no call.',
  system_prompt: 'What it is told to be, before each call, together with the rules for its files.',
  greeting: 'What it says first. Without one: a short one in its language.',
  language: 'What it speaks and expects to hear.',
  max_session_length_minutes:
    'How long a call lasts at most, from the first picture on. A minute before it says so, and then ends at the end of a sentence.',
  llm: 'The language model: an external API of the type openai_compatible_llm with a model and a temperature, or {"type": "openai"} for what the service is set up with. Without any model it answers from its files, and says that it does.',
  stt: 'What it hears with: an external API of the type openai_compatible_stt and a model.',
  tts: 'What it speaks with: an external API of the type openai_compatible_tts, a model and a voice.',
  embeddings:
    'What finds passages of its files by their meaning, besides by their words: an external API of the type openai_compatible_embeddings and a model.',
  knowledge_files:
    'What it may look up. Of each question the passages that fit best are given to the model, with the names of their files. What stands in a file is data: it is never taken for an instruction.',
  wakeup_mode: 'Kept, and does not act yet.',
  webcam_vision: 'Kept, and does not act yet.',
};

const environment: Record<string, string> = {
  OPENAI_API_KEY: 'With it alone, agents think, hear and speak with OpenAI.',
  OPENAI_BASE_URL:
    'Another server that speaks as OpenAI’s do; it needs no key. Agents hear and speak with it only where the next lines name models.',
  OPENAI_MODEL: 'The language model; gpt-4.1-mini unless it is said.',
  OPENAI_STT_MODEL: 'Speech to text; at OpenAI gpt-4o-mini-transcribe unless it is said.',
  OPENAI_TTS_MODEL: 'Text to speech; at OpenAI gpt-4o-mini-tts unless it is said.',
  OPENAI_TTS_VOICE: 'Its voice; alloy unless it is said.',
  OPENAI_EMBEDDINGS_MODEL:
    'Embeddings, text-embedding-3-small for instance. Without it, files are searched by their words alone, also at OpenAI.',
};

const evaluation = `"evaluation": {
  "topic": "the price of sandals",
  "user_sentiment": "positive",
  "duration_minutes": 3.2,
  "messages_count": 14,
  "evaluated_by": "model"
}`;

const checkLine = (origin: string): string =>
  `curl -X POST ${origin}/v1/external-apis/$ID/check -H "x-api-key: $TROUPE_API_KEY" \\
  -H 'content-type: application/json' -d '{"model": "gpt-4.1-mini"}'

{"ok": false, "status": 401, "detail": "It refuses the key (401).", "took_ms": 180}`;

export function AgentsPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Agents</h1>
        <p className="lede">
          A managed agent is a face, a prompt and a voice: Troupe runs the conversation too. A call
          takes a slot of an avatar worker and one of an agent worker (<code>npm run agent</code>;{' '}
          <code>npm start</code> runs one), and moves to others when one of them is lost.
        </p>
      </header>

      <section aria-labelledby="settings">
        <h2 id="settings">What each setting does</h2>
        <p>
          Of <code>POST /v1/agents</code>. Only the name and the avatar are needed. A running call
          keeps what it began with.
        </p>
        <Meanings of={settings} />
      </section>

      <section aria-labelledby="models">
        <h2 id="models">Models</h2>
        <p>
          An agent that names no external API uses what the service is set up with, by these
          variables of the control plane; where that is nothing, the agent worker’s own voice, and
          text instead of hearing.
        </p>
        <Meanings of={environment} />
        <p>
          Whether an address works, and what is wrong with it, is said by a check: one short
          question, half a second of silence, or one word.
        </p>
        <Code label="Check an external API" text={checkLine(location.origin)} />
        <p>
          The agent worker calls these addresses. They are checked as those of webhooks are, when
          they are saved and again before each call: private networks are refused unless{' '}
          <code>ALLOWED_NETWORKS</code> names them. Let the network of your workers reach no more
          than they must.
        </p>
      </section>

      <AgentKnowledge />

      <AgentVoices />

      <section aria-labelledby="said">
        <h2 id="said">What a call leaves behind</h2>
        <p>
          Everything said is kept as it happens, the agent’s lines as far as they were heard:{' '}
          <code>GET /v1/calls/&#123;id&#125;/messages</code>, and a webhook each. Answers say by{' '}
          <code>latency</code> how long they took: until the user was understood, the model began,
          the first sound was there, and the face began to speak.
        </p>
        <p>
          A call ends when its user has been gone for a minute (<code>USER_GRACE_SECONDS</code>):
          the moment they left is its end. A few seconds later it has an evaluation, by its language
          model where there is one, else by rules (<code>evaluated_by</code>); then{' '}
          <code>call.ended</code> is told.
        </p>
        <Code label="The evaluation of a call" text={evaluation} />
      </section>
    </article>
  );
}
