import './docs.css';
import { AgentKnowledge } from './agent-knowledge.tsx';
import { AgentVoices } from './agent-voices.tsx';
import { Code } from './code.tsx';
import { Meanings } from './meanings.tsx';

const settings: Record<string, string> = {
  name: 'The agent’s name, shown to its users.',
  avatar_id: 'The avatar. Calls are refused if the avatar is no longer available to your account.',
  system_prompt:
    'Instructions for the language model, combined with the rules for knowledge files.',
  greeting: 'The first sentence. Default: a short greeting in the agent’s language.',
  language: 'The language that the agent speaks and expects to hear.',
  max_session_length_minutes:
    'Maximum length of a call, counted from the first picture. The agent announces the end one minute before, and finishes its sentence.',
  llm: 'The language model: an external API of type openai_compatible_llm with a model and a temperature, or {"type": "openai"} for the service’s default. Without any model, the agent answers from its files and says so.',
  stt: 'Speech recognition: an external API of type openai_compatible_stt and a model.',
  tts: 'Speech synthesis: an external API of type openai_compatible_tts, a model and a voice.',
  embeddings:
    'Adds search by meaning to keyword search in knowledge files: an external API of type openai_compatible_embeddings and a model.',
  knowledge_files:
    'Files that the agent may use. For each question, the model receives the best passages and the names of their files. File contents are data, never instructions.',
  wakeup_mode: 'Stored, but has no effect yet.',
  webcam_vision: 'Stored, but has no effect yet.',
};

const environment: Record<string, string> = {
  OPENAI_API_KEY: 'If nothing else is set, agents use OpenAI for answers, recognition and speech.',
  OPENAI_BASE_URL:
    'Another OpenAI-compatible server; it needs no key. Agents use it for recognition and speech only if the models below are set.',
  OPENAI_MODEL: 'Language model. Default: gpt-4.1-mini.',
  OPENAI_STT_MODEL: 'Speech-to-text model. Default with OpenAI: gpt-4o-mini-transcribe.',
  OPENAI_TTS_MODEL: 'Text-to-speech model. Default with OpenAI: gpt-4o-mini-tts.',
  OPENAI_TTS_VOICE: 'Text-to-speech voice. Default: alloy.',
  OPENAI_EMBEDDINGS_MODEL:
    'Embeddings model, for example text-embedding-3-small. Without it, files are searched by keywords only, also with OpenAI.',
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
          A managed agent is an avatar with a prompt and a voice: Troupe runs the conversation too.
          A call takes a slot on an avatar worker and one on an agent worker (
          <code>npm run agent</code>; <code>npm start</code> runs one). If a worker is lost, another
          one takes over.
        </p>
      </header>

      <section aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        <p>
          These are the fields of <code>POST /v1/agents</code>. Only the name and the avatar are
          required. Changes apply to new calls, not to running ones.
        </p>
        <Meanings of={settings} />
      </section>

      <section aria-labelledby="models">
        <h2 id="models">Models</h2>
        <p>
          An agent without external APIs uses the service’s defaults, set by these variables of the
          control plane. Without defaults, it uses the agent worker’s own voice, and reads text
          instead of hearing.
        </p>
        <Meanings of={environment} />
        <p>
          A check tells whether an external API works, and what is wrong with it. It sends one short
          question, half a second of silence, or one word.
        </p>
        <Code label="Check an external API" text={checkLine(location.origin)} />
        <p>
          The agent worker sends requests to these URLs. They are checked like webhook URLs, when
          they are saved and again at each connection: private networks are refused unless{' '}
          <code>ALLOWED_NETWORKS</code> lists them, and redirects are not followed. A URL with
          another host needs the API key again.
        </p>
      </section>

      <AgentKnowledge />

      <AgentVoices />

      <section aria-labelledby="said">
        <h2 id="said">Transcript and evaluation</h2>
        <p>
          The conversation is stored while it happens; an interrupted line is stored up to the point
          that was heard. Read it with <code>GET /v1/calls/&#123;id&#125;/messages</code>, or
          receive a webhook for each line. The <code>latency</code> of an answer holds the times
          until the user was understood, the model responded, the first audio was ready, and the
          face started to speak.
        </p>
        <p>
          A call ends one minute after its user has left (<code>USER_GRACE_SECONDS</code>); the
          recorded end is the moment they left. A few seconds later the call is evaluated, by the
          agent’s language model or, without one, by rules (<code>evaluated_by</code>). Then the
          webhook event <code>call.ended</code> is sent.
        </p>
        <Code label="The evaluation of a call" text={evaluation} />
      </section>
    </article>
  );
}
