/*
 * A visitor speaks ten sentences to the agent that a new installation begins with: the whole
 * service, with hearing and voice as `npm start` installs them, and Chromium with a microphone.
 */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { delay, systemClock } from '#shared/clock.ts';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { HEARD_RATE } from '../../../workers/agent/listening/user-audio.ts';
import { messagesOf, type KeptMessage } from '../../support/agents/endpoint-agent.ts';
import { OpenAiServer } from '../../support/agents/openai-server.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { button, isLive } from '../../support/pages/room-page.ts';
import { startService, type RunningService } from '../../support/processes/service.ts';
import { speakNaturally } from '../../support/sound/natural-speech.ts';
import type { SpeechParts } from '../../support/sound/speech-parts.ts';
import { waveOf } from '../../support/sound/wave.ts';
import { wordErrorRate } from '../../support/sound/word-errors.ts';
import { until } from '../../support/until.ts';
import type { Tools } from '../bench.ts';
import { quantile, row, type Row } from '../report/row.ts';
import { joined, mixed, noise, rms, silence, trimmed } from './sound-mix.ts';
import { atHeardRate } from './user-voices.ts';

const SENTENCES = [
  'Hello there!',
  'What is Troupe?',
  'How does my agent get a face?',
  'What does it cost?',
  'Does it need a graphics card?',
  'Can you hear me?',
  'Which languages do you speak?',
  'How do I make a new agent?',
  'Can I use a photo of myself?',
  'Thank you, goodbye.',
];
/** The longest answer, and a second of silence. */
const ANSWER_MS = 13_000;
const KEY = 'key-of-the-language-model';
/** Time of the stub of a language model. */
const MODEL_MS = 300;
const RESPONDER_MS = 900;
const OVER_MODEL_MS = 500;
const NOISE_DECIBELS = 15;

const RUNS = [
  { name: 'a man', voice: 'samuel', isNoisy: false },
  { name: 'a young man, with noise', voice: 'theo', isNoisy: true },
] as const;
type Run = (typeof RUNS)[number];

export async function answers(parts: SpeechParts, say: Tools['say']): Promise<Row[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-conversation-'));
  for (const part of ['voice', 'hearing'] as const)
    await symlink(parts[part], path.join(dataDir, part));
  const server = await OpenAiServer.open({ keys: [KEY], answer: () => 'That is a good question.' });
  const service = await startService({
    dataDir,
    env: { VOICE: 'hibari', HEARING: 'moonshine' },
  });
  try {
    // Empty before its first line.
    const agentLog = () => service.logOf('agent').catch(() => '');
    await until(async () => (await agentLog()).includes('the natural voice is ready'));
    const firstAgent = async () =>
      (await readJson<{ data: [Agent] }>(service, '/v1/agents')).data[0];
    await until(async () => (await firstAgent()).abilities.hears);
    const agent = await firstAgent();
    const rows: Row[] = [];
    for (const run of RUNS) {
      const messages = await converse(parts, { service, dataDir, agent, run });
      rows.push(...report(messages, `built-in responder, ${run.name}`, RESPONDER_MS, say));
    }
    const api = { type: 'openai_compatible_llm', name: 'model', url: server.url, api_key: KEY };
    const { id: api_id } = await service.make('/v1/external-apis', api);
    const llm = { type: 'openai_compatible', api_id, model: 'thinker', temperature: 0.3 };
    const { ok } = await service.api(`/v1/agents/${agent.id}`, {
      method: 'PATCH',
      body: { llm },
    });
    if (!ok) throw new Error('the agent got no model');
    server.answerMs = MODEL_MS;
    const messages = await converse(parts, { service, dataDir, agent, run: RUNS[0] });
    const name = `model of ${MODEL_MS} ms, ${RUNS[0].name}`;
    return [...rows, ...report(messages, name, MODEL_MS + OVER_MODEL_MS, say)];
  } finally {
    await service.stop();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Agent = { id: string; chat_url: string; abilities: { hears: boolean } };

type Visit = {
  service: RunningService;
  dataDir: string;
  agent: Agent;
  run: Run;
};

async function converse(
  parts: SpeechParts,
  { service, dataDir, agent, run }: Visit,
): Promise<KeptMessage[]> {
  const file = path.join(dataDir, `${run.voice}.wav`);
  const sound = await microphone(parts, run);
  await writeFile(file, waveOf(sound, HEARD_RATE));
  const browser = await openBrowser({
    args: [
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${file}%noloop`,
    ],
  });
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(new URL(new URL(agent.chat_url).pathname, service.address).href);
    await page.getByRole('switch', { name: 'On when you join' }).uncheck();
    await button(page, 'Join').click();
    await isLive(page);
    // The page keeps the call for a reload.
    const storedCall = () => page.evaluate(() => Object.values(sessionStorage)[0]!);
    const { id } = (JSON.parse(await storedCall()) as { call: { id: string } }).call;
    await until(async () => (await messagesOf(service, id)).length === 1);
    await button(page, 'Unmute').click();
    await delay(systemClock, (1_000 * sound.length) / HEARD_RATE);
    await button(page, 'Leave').click();
    return await messagesOf(service, id);
  } finally {
    await browser.close();
    await service.endSessions();
  }
}

/** All sentences, each with the time for its answer. */
async function microphone(parts: SpeechParts, { voice, isNoisy }: Run) {
  const speaker = BUILT_IN_VOICES.find(({ id }) => id === voice)!;
  const sounds = await speakNaturally(parts, SENTENCES, [speaker]);
  const speech = sounds.map((sound) => trimmed(atHeardRate(sound)));
  const whole = joined(silence(2_000), ...speech.flatMap((sound) => [sound, silence(ANSWER_MS)]));
  return isNoisy ? mixed(whole, noise(20_000), NOISE_DECIBELS, rms(speech[1]!)) : whole;
}

function report(
  messages: KeptMessage[],
  name: string,
  medianAtMost: number,
  say: Tools['say'],
): Row[] {
  const heard = messages.filter(({ sender }) => sender === 'user').map(({ message }) => message);
  const script = SENTENCES.join(' ');
  for (const { sender, message, latency } of messages)
    say(`${name}: ${sender}: ${message}${latency ? ` (${latency.first_frame_ms} ms)` : ''}`);
  const phases = [
    ['transcript', 'transcript_ms'],
    ['first words of the answer', 'first_token_ms'],
    ['first sound made', 'first_audio_ms'],
  ] as const;
  const timesOf = (phase: keyof NonNullable<KeptMessage['latency']>): number[] =>
    messages.flatMap(({ latency }) => (latency?.[phase] ? [latency[phase]] : []));
  const first = timesOf('first_frame_ms');
  const what = `end of the user's speech until`;
  return [
    row({
      what: `words misheard of ten sentences, ${name}`,
      unit: '%',
      values: 100 * wordErrorRate([{ script, transcript: heard.join(' ') }]),
      better: 'lower',
    }),
    row({
      what: `answers to ten sentences, ${name}`,
      unit: '',
      values: first.length,
      better: 'higher',
    }),
    ...phases.map(([label, phase]) =>
      row({
        what: `${what} ${label}, ${name}`,
        unit: 'ms',
        values: timesOf(phase),
        better: 'lower',
      }),
    ),
    row({
      what: `${what} the first sound of the answer, ${name}`,
      unit: 'ms',
      values: first,
      goal: { of: 'median', atMost: medianAtMost },
    }),
    row({
      what: `${what} the first sound of the answer, ${name}, 95th percentile`,
      unit: 'ms',
      values: quantile(first, 0.95),
      better: 'lower',
    }),
  ];
}

const readJson = async <Value>(service: RunningService, url: string): Promise<Value> =>
  (await (await service.api(url)).json()) as Value;
