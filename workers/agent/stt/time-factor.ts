import { delay, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Sound } from '../voices/voice.ts';
import type { SpeechModelVerdict } from './local-speech-model.ts';
import type { Recognizer } from './recognizer-program.ts';

const RUNS = 3;
/** Processing time per second of speech. Above, answers come too late once several people talk. */
const MAX_TIME_FACTOR = 0.5;
/** Other programs of a machine that starts may slow the first measurement down. */
const MEASUREMENTS = 3;
const MEASURE_AGAIN_MS = 60_000;

type Measurement = {
  speech: Sound;
  /** Otherwise the model may understand nothing. */
  isOwnLanguage: boolean;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
};

/** Whether this machine is fast enough for a speech model. Throws if the model does not work. */
export async function judgeSpeed(
  recognizer: Recognizer,
  measurement: Measurement,
): Promise<{ verdict: SpeechModelVerdict; timeFactor: number }> {
  const { clock, log, signal } = measurement;
  for (let count = 1; ; count++) {
    const timeFactor = await measuredTimeFactor(recognizer, measurement);
    if (timeFactor <= MAX_TIME_FACTOR) {
      log.info({ timeFactor }, 'speech recognition is fast enough on this machine');
      return { verdict: 'ready', timeFactor };
    }
    log.warn({ timeFactor, count }, 'speech recognition is slow on this machine');
    if (count === MEASUREMENTS) return { verdict: 'too_slow', timeFactor };
    await delay(clock, MEASURE_AGAIN_MS, signal);
  }
}

/** Median processing time per second of speech. */
async function measuredTimeFactor(
  recognizer: Recognizer,
  { speech: { samples, sampleRate }, isOwnLanguage, clock }: Measurement,
): Promise<number> {
  const speech = Float32Array.from(samples, (sample) => sample / 32_768);
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const startedAt = clock.elapsed();
    const { text } = await recognizer.recognize(speech, sampleRate);
    if (isOwnLanguage && text === '') throw new Error('the speech model understands nothing');
    times.push(clock.elapsed() - startedAt);
  }
  const medianMs = times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)]!;
  return medianMs / 1000 / (samples.length / sampleRate);
}
