import { Histogram, type Registry } from 'prom-client';
import { CALL_METRICS } from '#protocol/metric-names.ts';
import type { CallEvents } from '../../calls/call-events.ts';

const ANSWER_SECONDS = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];

const STAGES = {
  transcript: 'transcriptMs',
  first_token: 'firstTokenMs',
  first_audio: 'firstAudioMs',
  first_frame: 'firstFrameMs',
} as const;

/** Times the answers of managed agents whose lines this control plane received. */
export function timeAnswers(registry: Registry, callEvents: CallEvents): void {
  const name = 'troupe_answer_seconds';
  const answers = new Histogram({
    name,
    help: CALL_METRICS[name],
    labelNames: ['stage'],
    buckets: ANSWER_SECONDS,
    registers: [registry],
  });
  for (const stage of Object.keys(STAGES)) answers.zero({ stage });
  callEvents.on('answer.timed', ({ latency }) => {
    for (const [stage, field] of Object.entries(STAGES)) {
      const ms = latency[field];
      if (ms !== null) answers.observe({ stage }, ms / 1_000);
    }
  });
}
