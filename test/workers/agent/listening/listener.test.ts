import { beforeEach, expect, test } from 'vitest';
import { DEFAULT_TURN_TAKING } from '#protocol/voice/turn-taking.ts';
import { createLog } from '#shared/log.ts';
import {
  Listener,
  type HeardTurn,
  type Hearing,
} from '../../../../workers/agent/listening/listener.ts';
import type { VoiceActivity } from '../../../../workers/agent/listening/voice-activity.ts';
import type { Transcript } from '../../../../workers/agent/listening/transcript.ts';
import { settle, TestClock } from '../../../support/test-clock.ts';

const WINDOW_MS = 32;
const AGENT_TEXT = 'Our restaurant is open every day from noon until ten.';

/** Takes loud sound for a voice. */
class LevelActivity implements VoiceActivity {
  #ms = 0;

  async *push(samples: Int16Array) {
    const startMs = this.#ms;
    this.#ms += WINDOW_MS;
    yield { startMs, endMs: this.#ms, probability: samples[0]! > 100 ? 0.9 : 0.1 };
  }
}

let clock: TestClock;
let turns: HeardTurn[];
/** Reports to the dialogue, in order. */
let reports: string[];
const certain = (text: string): Transcript => ({ text, certainty: 1 });

let hearing: { -readonly [Key in keyof Hearing]: Hearing[Key] };
let agent: { isActive: boolean; text: string };
let listener: Listener;

beforeEach(() => {
  clock = new TestClock();
  turns = [];
  reports = [];
  hearing = {
    isLocal: true,
    transcribe: async () => certain('What time is it?'),
    endOfTurn: async () => 0.95,
  };
  agent = { isActive: false, text: '' };
  open();
});

function open(): void {
  listener = new Listener({
    language: 'en',
    turnTaking: DEFAULT_TURN_TAKING,
    hearing,
    voiceActivity: new LevelActivity(),
    agent,
    listener: {
      interrupted: () => void reports.push('interrupted'),
      anticipated: (text) => void reports.push(`anticipated: ${text}`),
      retracted: () => void reports.push('retracted'),
      heard: (text) => void reports.push(`heard: ${text}`),
      said: (turn) => void turns.push(turn),
    },
    clock,
    log: createLog({ name: 'test', level: 'silent' }),
  });
}

/** Sound of a level, in real time. */
async function hear(ms: number, level: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += WINDOW_MS) {
    clock.advance(WINDOW_MS);
    await listener.hear(new Int16Array(WINDOW_MS * 16).fill(level));
    await settle();
  }
}
const speak = (ms: number, level = 5_000) => hear(ms, level);
const pause = (ms: number) => hear(ms, 0);

test('a turn has its words, and times of the clock', async () => {
  await pause(320);
  await speak(640);
  await pause(320);

  expect(reports).toEqual(['heard: What time is it?', 'anticipated: What time is it?']);
  expect(turns).toEqual([
    { text: 'What time is it?', startedAt: 352, stoppedAt: 960, isCommand: false },
  ]);
});

test('words are shown while the user speaks, with those before a pause', async () => {
  listener.close();
  hearing.interims = 'streaming';
  open();
  const asked: (boolean | undefined)[] = [];
  hearing.endOfTurn = async () => 0.1;
  hearing.transcribe = async (_samples, _signal, goesOn) => {
    asked.push(goesOn);
    return certain('My number is');
  };
  await speak(600);
  await pause(500);
  expect(reports.filter((report) => report.startsWith('heard'))).toHaveLength(2);
  expect(asked).toEqual([true, false]);

  hearing.transcribe = async () => certain('zero one');
  await speak(600);

  expect(reports.at(-1)).toBe('heard: My number is zero one');
  expect(turns).toEqual([]);
});

test('a turn whose recognition fails is lost, and the next one is heard', async () => {
  hearing.transcribe = () => Promise.reject(new Error('out of memory'));
  await speak(640);
  await pause(640);
  hearing.transcribe = async () => certain('Once more.');
  await speak(640);
  await pause(320);

  expect(turns.map(({ text }) => text)).toEqual(['Once more.']);
});

test('a recogniser that does not answer is given up', async () => {
  hearing.transcribe = () => new Promise(() => {});
  await speak(640);
  await pause(640);
  clock.advance(15_000);
  await settle();
  await pause(640);
  hearing.transcribe = async () => certain('Once more.');
  await speak(640);
  await pause(320);

  expect(turns.map(({ text }) => text)).toEqual(['Once more.']);
});

test('a turn ends after silence when its model fails or hangs', async () => {
  hearing.endOfTurn = () => Promise.reject(new Error('exited'));
  await speak(640);
  await pause(960);
  expect(turns).toHaveLength(1);

  hearing.endOfTurn = () => new Promise(() => {});
  await speak(640);
  await pause(1_600);
  expect(turns).toHaveLength(2);
});

test('the echo of the agent is recognised by its words, and then by its level', async () => {
  agent.isActive = true;
  agent.text = AGENT_TEXT;
  let requestCount = 0;
  hearing.transcribe = async () => {
    requestCount++;
    return certain('Our restaurant is open every day');
  };
  await speak(640, 1_000);
  expect(requestCount).toBe(1);

  await speak(1_280, 1_000);
  expect(requestCount).toBe(1);

  hearing.transcribe = async () => certain('But what does it cost?');
  await speak(640, 5_000);
  expect(reports).toEqual(['interrupted']);
});

test('an answer is asked for ahead of time and retracted', async () => {
  hearing.endOfTurn = async () => 0.1;
  await speak(640);
  await pause(480);
  await speak(320);

  expect(reports).toEqual([
    'heard: What time is it?',
    'anticipated: What time is it?',
    'retracted',
  ]);
});

test('speech before the microphone is muted is a turn', async () => {
  hearing.endOfTurn = async () => 0.1;
  await speak(640);
  listener.muted();
  await settle();

  expect(turns).toHaveLength(1);
});

test('nothing is reported after the end', async () => {
  await speak(640);
  listener.close();
  await pause(640);
  listener.agentSilent(true);

  expect(turns).toEqual([]);
  expect(clock.waiting).toBe(0);
});
