/*
 * Concurrent calls in one worker. Each agent has one word in its prompt and one in its file, each
 * user has another, and each voice a pitch. The model repeats every word that it was given, so
 * anything that leaks from one call into another is seen or heard.
 */
import { RoomEvent, type Room } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AGENT_EPOCH, AGENT_LOST } from '#protocol/room-terms.ts';
import { SoundRecorder } from '../../support/sound/sound-recorder.ts';
import { loggedOf, makeEndpointAgent, messagesOf } from '../../support/agents/endpoint-agent.ts';
import { OpenAiServer, SPEECH_RATE, textsIn } from '../../support/agents/openai-server.ts';
import { pitchesIn } from '../../support/sound/rising-tone.ts';
import { MOVING, type RunningService } from '../../support/processes/service.ts';
import { shareService } from '../../support/processes/shared-service.ts';
import { startWorker } from '../../support/processes/worker-process.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const FACE = 'avatar_worker';
const SECONDS_PER_LETTER = 0.06;
const QUESTION = 'Which word stands in the file?';

type Secrets = { prompt: string; file: string; user: string; hertz: number };

const SECRETS: Secrets[] = [
  { prompt: 'heliotrope', file: 'larkspur', user: 'marigold', hertz: 400 },
  { prompt: 'tangerine', file: 'clementine', user: 'grapefruit', hertz: 700 },
  { prompt: 'porcupine', file: 'armadillo', user: 'wolverine', hertz: 1100 },
];
const wordsOf = ({ prompt, file, user }: Secrets) => [prompt, file, user];
const WORDS = SECRETS.flatMap(wordsOf);
const keyOf = ({ prompt }: Secrets) => `key-of-${prompt}`;
const wordsIn = (text: string) => WORDS.filter((word) => text.includes(word));

let service: RunningService;
let server: OpenAiServer;
const leaving: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await OpenAiServer.open({
    keys: SECRETS.map(keyOf),
    answer: (request) => `I was told of ${wordsIn(textsIn(request)).join(' and of ')}.`,
    speak: ({ voice, input }) => tone(Number(voice), input.length * SECONDS_PER_LETTER),
  });
  service = await shareService();
});
afterEach(async () => {
  for (const leave of leaving.splice(0).toReversed()) await leave();
  // Otherwise their faces stay for ten seconds, beside the next test.
  await service.endSessions();
});
afterAll(async () => {
  await service?.stop();
  await server?.close();
});

const tone = (hertz: number, seconds: number): Int16Array =>
  Int16Array.from({ length: SPEECH_RATE * seconds }, (_, i) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * i) / SPEECH_RATE)),
  );

async function call(secrets: Secrets) {
  const { prompt, file, hertz } = secrets;
  const { id: fileId } = await service.make('/v1/knowledge-files', {
    name: 'words.txt',
    format: 'text',
    content: `The word that stands in the file is ${file}.`,
  });
  const agent_id = await makeEndpointAgent(service, server, {
    key: keyOf(secrets),
    voice: String(hertz),
    name: FIRST_AVATAR.name,
    greeting: `Hello from the house of ${prompt}.`,
    system_prompt: `Your word is ${prompt}.`,
    knowledge_files: [fileId],
  });
  type Opened = { id: string; livekit_url: string; livekit_token: string };
  const opened = await service.make<Opened>('/v1/calls', { agent_id });
  const guest = new SoundRecorder();
  let captions = '';
  guest.room.registerTextStreamHandler('lk.transcription', async (reader) => {
    // Leaving aborts it.
    await (async () => {
      for await (const piece of reader) captions += piece;
    })().catch(() => {});
  });
  await guest.join(opened.livekit_url, opened.livekit_token);
  leaving.push(() => guest.leave());
  return {
    id: opened.id,
    secrets,
    guest,
    captions: () => captions,
    messages: () => messagesOf(service, opened.id),
    write: (text: string) => guest.room.localParticipant!.sendText(text, { topic: 'lk.chat' }),
  };
}

type Spoken = { positionSeconds: number; interrupted: boolean };

/** As reported by the avatar. */
const reportsOf = (callId: string) => loggedOf<Spoken>(service, callId, 'playback finished');

test('three concurrent calls share nothing that is said, heard or known', async () => {
  const calls = await Promise.all(SECRETS.map(call));
  await expect
    .poll(() => Promise.all(calls.map(async ({ messages }) => (await messages()).length)))
    .toEqual([1, 1, 1]);

  await Promise.all(
    calls.map(({ write, secrets }) => write(`I bring ${secrets.user}. ${QUESTION}`)),
  );
  await expect
    .poll(() => Promise.all(calls.map(async ({ messages }) => (await messages()).length)))
    .toEqual([3, 3, 3]);

  for (const { id, secrets, guest, captions, messages } of calls) {
    const words = wordsOf(secrets);
    const lines = (await messages()).map(({ message }) => message);
    expect(lines).toEqual([
      `Hello from the house of ${secrets.prompt}.`,
      `I bring ${secrets.user}. ${QUESTION}`,
      `I was told of ${words.join(' and of ')}.`,
    ]);
    // A caption may still be in progress when its line is stored.
    await expect.poll(() => wordsIn(captions())).toEqual(words);

    const { chats, speeches } = server;
    const ofKey = <Request extends { key: string }>(requests: Request[]) =>
      requests.filter(({ key }) => key === keyOf(secrets));
    expect(ofKey(chats)).not.toEqual([]);
    for (const chat of ofKey(chats)) expect(wordsIn(textsIn(chat))).toEqual(words);
    expect(ofKey(speeches).map(({ input, voice }) => [input, voice])).toEqual(
      [lines[0], lines[2]].map((line) => [line, String(secrets.hertz)]),
    );

    await expect.poll(async () => (await reportsOf(id)).length).toBe(2);
    const finished = await reportsOf(id);
    expect(finished.map(({ interrupted }) => interrupted)).toEqual([false, false]);
    for (const [i, line] of [lines[0]!, lines[2]!].entries())
      expect(finished[i]!.positionSeconds).toBeCloseTo(line.length * SECONDS_PER_LETTER, 1);

    const pitches = pitchesIn(guest.soundOf(FACE));
    const letters = lines[0]!.length + lines[2]!.length;
    // Two tones at once are not a clean tone.
    expect(pitches.length * 0.06).toBeGreaterThan(0.85 * letters * SECONDS_PER_LETTER);
    expect(pitches.filter((pitch) => Math.abs(pitch / secrets.hertz - 1) > 0.05)).toEqual([]);
  }
});

test('two calls whose worker is killed report it first and continue on another worker', async () => {
  const calls = await Promise.all(SECRETS.slice(0, 2).map(call));
  await expect
    .poll(() => Promise.all(calls.map(async ({ messages }) => (await messages()).length)))
    .toEqual([1, 1]);
  const reports = calls.map(({ id, guest }) => agentReports(guest.room, `agent-${id}`));
  expect(reports.map(({ current }) => current())).toEqual([
    { epoch: '1', lost: null },
    { epoch: '1', lost: null },
  ]);
  // The service waits 15 seconds for another worker, and a busy machine takes longer to start one.
  const secondWorker = await startWorker(service, MOVING, { program: 'workers/agent/main.ts' });
  leaving.push(() => secondWorker.kill());

  await service.killProgram('agent');

  await expect
    .poll(() => reports.map(({ reports }) => reports))
    .toEqual([
      ['epoch 1 is lost', 'epoch 2'],
      ['epoch 1 is lost', 'epoch 2'],
    ]);
  await Promise.all(calls.map(({ write }) => write(QUESTION)));
  for (const { secrets, messages } of calls)
    await expect.poll(async () => (await messages()).at(-1)?.message).toContain(secrets.file);
});

/** The room's reports about an agent: the current ones, and later changes in order. */
function agentReports(room: Room, identity: string) {
  const reports: string[] = [];
  const current = () => {
    const { [AGENT_LOST]: lost = null } = JSON.parse(room.metadata ?? '{}');
    const epoch = room.remoteParticipants.get(identity)?.attributes[AGENT_EPOCH] ?? null;
    return { epoch, lost };
  };
  const see = (report: string) => {
    if (!reports.includes(report)) reports.push(report);
  };
  room.on(RoomEvent.RoomMetadataChanged, () => {
    const { lost } = current();
    if (lost !== null) see(`epoch ${lost} is lost`);
  });
  const look = () => {
    const { epoch } = current();
    if (epoch !== null && epoch !== '1') see(`epoch ${epoch}`);
  };
  room.on(RoomEvent.ParticipantConnected, look);
  room.on(RoomEvent.ParticipantAttributesChanged, look);
  return { reports, current };
}
