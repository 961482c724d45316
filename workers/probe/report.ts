import { STEPS, type ProbeResult } from './probe.ts';

/** One line for people. */
export function toLine({ sessionId, steps, framesPerSecond, failure }: ProbeResult): string {
  const times = STEPS.flatMap((step) =>
    steps[step] === undefined ? [] : [`${step.replace('_', ' ')} ${steps[step]} ms`],
  );
  const facts = [
    ...times,
    ...(framesPerSecond === null ? [] : [`${framesPerSecond.toFixed(1)} fps`]),
    ...(sessionId === null ? [] : [`session ${sessionId}`]),
  ].join(', ');
  if (!failure) return `ok: ${facts}`;
  return `failed at ${failure.step.replace('_', ' ')}: ${failure.problem}${facts && ` (${facts})`}`;
}

export function toJson({ sessionId, steps, framesPerSecond, failure }: ProbeResult): string {
  return JSON.stringify({
    ok: failure === null,
    session_id: sessionId,
    steps_ms: steps,
    frames_per_second: framesPerSecond,
    failed_step: failure?.step ?? null,
    problem: failure?.problem ?? null,
  });
}

/** Prometheus text format. `at`: the time of the run in milliseconds since the epoch. */
export function toMetrics({ steps, framesPerSecond, failure }: ProbeResult, at: number): string {
  return [
    ...gauge('success', 'Whether the last probe passed every step.', [` ${failure ? 0 : 1}`]),
    ...gauge('run_timestamp_seconds', 'When the last probe ended.', [` ${at / 1000}`]),
    ...gauge(
      'step_duration_seconds',
      'Time of each step that the last probe passed. first_frame counts from the request.',
      STEPS.flatMap((step) =>
        steps[step] === undefined ? [] : [`{step="${step}"} ${steps[step] / 1000}`],
      ),
    ),
    ...gauge(
      'step_failed',
      'Whether the last probe failed at this step.',
      STEPS.map((step) => `{step="${step}"} ${failure?.step === step ? 1 : 0}`),
    ),
    ...gauge(
      'frames_per_second',
      'Pictures that the last probe saw.',
      framesPerSecond === null ? [] : [` ${framesPerSecond}`],
    ),
    '',
  ].join('\n');
}

/** Nothing without samples. */
const gauge = (name: string, help: string, samples: string[]): string[] =>
  samples.length === 0
    ? []
    : [
        `# HELP troupe_probe_${name} ${help}`,
        `# TYPE troupe_probe_${name} gauge`,
        ...samples.map((sample) => `troupe_probe_${name}${sample}`),
      ];
