/*
 * How well agents tell the end of a turn, and interruptions from asides: the state machine of
 * turns with the installed models, over synthesised speech.
 */
import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import type { Hearing } from '../../../workers/agent/listening/listener.ts';
import { HEARD_RATE } from '../../../workers/agent/listening/user-audio.ts';
import { InstalledHearing } from '../../../workers/agent/stt/installed-hearing.ts';
import { sampleSpeech } from '../../../workers/agent/stt/sample-speech.ts';
import { SpeechRecognition } from '../../../workers/agent/stt/speech-recognition.ts';
import { HibariVoice } from '../../../workers/agent/voices/hibari.ts';
import { speakNaturally } from '../../support/sound/natural-speech.ts';
import type { SpeechParts } from '../../support/sound/speech-parts.ts';
import { until } from '../../support/until.ts';
import type { Tools } from '../bench.ts';
import { quantile, row, type Row } from '../report/row.ts';
import { joined, lengthMs, mixed, noise, rms, silence, trimmed } from './sound-mix.ts';
import { runTrial, type Trial } from './turn-trial.ts';
import { AGENT_TEXT, ASIDES, FINISHED, INTERRUPTIONS, UNFINISHED } from './turn-set.ts';
import { atHeardRate, userVoices, type UserVoice } from './user-voices.ts';

const FINISHED_MS = 350;
const MOST_CUT = 0.03;
const LEAST_RIGHT = 0.95;
const MOST_FALSE = 0.05;
/** Longest wait in the middle of a sentence, and some more. */
const TAIL_MS = 4_500;
const LEAD_MS = 800;
const GAPS_MS = [900, 1_500, 2_200] as const;
/** The agent speaks this long before the user does. */
const ALONE_MS = 2_500;
/** An interruption may follow the end of a short word. */
const LATE_MS = 1_000;
const NOISE_DECIBELS = 15;
/** Echo that a browser's cancellation leaves. */
const ECHO_DECIBELS = 20;

type Samples = Int16Array<ArrayBuffer>;
type Condition = { name: string; apply: (sound: Samples, level: number) => Samples };

/** `say`: prints what went wrong. */
export async function turns(parts: SpeechParts, say: Tools['say']): Promise<Row[]> {
  const log = createLog({ name: 'bench', level: 'warn' });
  const natural = new HibariVoice(`${parts.voice}/bin/python`, systemClock, log);
  const model = new InstalledHearing({
    modelFolder: parts.hearing,
    pythonFolder: parts.voice,
    sampleSpeech,
    clock: systemClock,
    log,
  });
  try {
    await model.whenDecided;
    await until(() => natural.isReady);
    const { hearing } = new SpeechRecognition({
      models: [model],
      close: () => {},
    }).recognizerFor({ stt: null, language: 'en' })!;
    const voices = await userVoices(natural);
    say(`voices of users: ${voices.map(({ name }) => name).join(', ')}`);
    const street = noise(20_000);
    const [agentSound] = await speakNaturally(parts, [AGENT_TEXT]);
    const agent = atHeardRate(agentSound!);
    const quiet: Condition = { name: 'in quiet', apply: (sound) => sound };
    const noisy: Condition = {
      name: `with noise ${NOISE_DECIBELS} dB below the voice`,
      apply: (sound, level) => mixed(sound, street, NOISE_DECIBELS, level),
    };
    const echoing: Condition = {
      name: `with the agent's echo ${ECHO_DECIBELS} dB below the voice`,
      apply: (sound, level) => mixed(sound, agent, ECHO_DECIBELS, level),
    };
    const rows: Row[] = await recogniserRows(hearing, voices);
    for (const condition of [quiet, noisy])
      rows.push(...(await finishedRows(hearing, voices, condition, say)));
    rows.push(await unfinishedRow(hearing, voices, say));
    for (const condition of [quiet, noisy, echoing])
      rows.push(...(await overlapRows(hearing, voices, condition, say)));
    return rows;
  } finally {
    model.close();
    natural.close();
  }
}

/** Times of the models for one utterance. */
async function recogniserRows(hearing: Hearing, voices: UserVoice[]): Promise<Row[]> {
  const sounds: Samples[] = [];
  for (const text of FINISHED) sounds.push(await voices[0]!.speak(text));
  const seconds = sounds.reduce((sum, { length }) => sum + length / HEARD_RATE, 0);
  const timesOf = async (work: (sound: Samples) => Promise<unknown>): Promise<number[]> => {
    const times: number[] = [];
    for (const sound of sounds) {
      const from = performance.now();
      await work(sound);
      times.push(performance.now() - from);
    }
    return times;
  };
  const { signal } = new AbortController();
  const texts = await timesOf((sound) => hearing.transcribe(sound, signal));
  const ends = await timesOf((sound) => hearing.endOfTurn!(sound));
  const total = texts.reduce((sum, time) => sum + time, 0);
  return [
    row({
      what: 'real-time factor of the recogniser',
      unit: '',
      values: total / 1_000 / seconds,
      goal: { of: 'median', atMost: 0.5 },
    }),
    ...rowsOf('to transcribe a sentence', texts),
    ...rowsOf('to judge the end of a turn', ends),
  ];
}

async function finishedRows(
  hearing: Hearing,
  voices: UserVoice[],
  condition: Condition,
  say: Tools['say'],
): Promise<Row[]> {
  const delays: number[] = [];
  let wrong = 0;
  for (const { name, speak } of voices) {
    for (const text of FINISHED) {
      const speech = trimmed(await speak(text));
      const endMs = LEAD_MS + lengthMs(speech);
      const sound = joined(silence(LEAD_MS), speech, silence(TAIL_MS));
      const samples = condition.apply(sound, rms(speech));
      const { commits } = await runTrial({ samples, agentText: null }, hearing);
      const [first] = commits;
      if (commits.length === 1 && first!.atMs >= endMs) delays.push(first!.atMs - endMs);
      else {
        wrong++;
        say(`${name}, ${text}: ${JSON.stringify(commits)}`);
      }
    }
  }
  const what = `end of the user's sentence until its turn is over, ${condition.name}`;
  return [
    ...rowsOf(what, delays, FINISHED_MS),
    row({
      what: `finished sentences that did not become one turn, ${condition.name}`,
      unit: '%',
      values: (100 * wrong) / (delays.length + wrong),
      better: 'lower',
    }),
  ];
}

async function unfinishedRow(
  hearing: Hearing,
  voices: UserVoice[],
  say: Tools['say'],
): Promise<Row> {
  let count = 0;
  let cut = 0;
  for (const { name, speak } of voices) {
    for (const marked of UNFINISHED) {
      const gapMs = GAPS_MS[count++ % GAPS_MS.length]!;
      const [before, after] = marked.split('| ') as [string, string];
      const first = trimmed(await speak(`${before.trim().replace(/,$/, '')},`));
      const rest = trimmed(await speak(after));
      const gap = silence(gapMs);
      const samples = joined(silence(LEAD_MS), first, gap, rest, silence(TAIL_MS));
      const goesOnMs = LEAD_MS + lengthMs(first) + gapMs;
      const { commits } = await runTrial({ samples, agentText: null }, hearing);
      if (!commits.some(({ atMs }) => atMs < goesOnMs)) continue;
      cut++;
      say(`${name}, ${marked} cut in a gap of ${gapMs} ms: ${commits[0]!.text}`);
    }
  }
  return row({
    what: `sentences cut off in a gap of ${GAPS_MS.join(', ')} ms`,
    unit: '%',
    values: (100 * cut) / count,
    goal: { of: 'median', atMost: 100 * MOST_CUT },
  });
}

async function overlapRows(
  hearing: Hearing,
  voices: UserVoice[],
  condition: Condition,
  say: Tools['say'],
): Promise<Row[]> {
  const delays: number[] = [];
  let missed = 0;
  let stops = 0;
  let asides = 0;
  for (const { name, speak } of voices) {
    for (const text of [...INTERRUPTIONS, ...ASIDES]) {
      const speech = trimmed(await speak(text));
      const endMs = ALONE_MS + lengthMs(speech);
      const sound = joined(silence(ALONE_MS), speech, silence(LATE_MS + 500));
      const trial: Trial = {
        samples: condition.apply(sound, rms(speech)),
        agentText: AGENT_TEXT,
      };
      const { interruptedAtMs: atMs, commits } = await runTrial(trial, hearing);
      const isInterruption = (INTERRUPTIONS as readonly string[]).includes(text);
      const isInTime = atMs !== null && atMs >= ALONE_MS && atMs < endMs + LATE_MS;
      if (!isInterruption) asides++;
      if (isInterruption && isInTime) delays.push(atMs - ALONE_MS);
      if (isInterruption && !isInTime) missed++;
      if (!isInterruption && atMs !== null) stops++;
      if (isInterruption ? !isInTime : atMs !== null)
        say(`${name}, ${condition.name}, ${text}: ${atMs?.toFixed(0)} ms ${commits[0]?.text}`);
    }
  }
  const all = delays.length + missed;
  return [
    row({
      what: `interruptions that stop the agent, ${condition.name}`,
      unit: '%',
      values: (100 * delays.length) / all,
      goal: { of: 'median', atLeast: 100 * LEAST_RIGHT },
    }),
    row({
      what: `asides that stop the agent, ${condition.name}`,
      unit: '%',
      values: (100 * stops) / asides,
      goal: { of: 'median', atMost: 100 * MOST_FALSE },
    }),
    ...rowsOf(`first sound of an interruption until the decision, ${condition.name}`, delays),
  ];
}

/** Median and worst, and the 95th percentile as a figure of its own. */
const rowsOf = (what: string, values: number[], medianAtMost?: number): Row[] => [
  row({
    what,
    unit: 'ms',
    values,
    ...(medianAtMost === undefined
      ? { better: 'lower' as const }
      : { goal: { of: 'median' as const, atMost: medianAtMost } }),
  }),
  row({
    what: `${what}, 95th percentile`,
    unit: 'ms',
    values: quantile(values, 0.95),
    better: 'lower',
  }),
];
