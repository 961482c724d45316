import { requestSpanId } from '../sessions/session-traces.ts';
import { spanIdOf, traceIdOf } from '#shared/tracing/trace-context.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import type { CallEvents } from './call-events.ts';

/** Records each answer of a managed agent in its call's trace: how long it took, never its text. */
export function traceAnswers(events: CallEvents, tracer: Tracer): void {
  events.on('answer.timed', ({ callId, lineId, sentAt, latency }) => {
    const { transcriptMs, firstTokenMs, firstAudioMs, firstFrameMs } = latency;
    const stages = {
      'troupe.transcript_ms': transcriptMs,
      'troupe.first_token_ms': firstTokenMs,
      'troupe.first_audio_ms': firstAudioMs,
      'troupe.first_frame_ms': firstFrameMs,
    };
    const stageAttributes = Object.entries(stages).flatMap(([name, ms]) =>
      ms === null ? [] : [[name, ms]],
    );
    const traceId = traceIdOf(callId);
    tracer.record({
      traceId,
      spanId: spanIdOf(callId, 'answer', lineId),
      parentSpanId: requestSpanId(traceId),
      name: 'answer',
      // A line is dated by the start of its playback.
      startMs: sentAt - (firstFrameMs ?? firstAudioMs ?? firstTokenMs ?? 0),
      endMs: sentAt,
      attributes: { 'troupe.call.id': callId, ...Object.fromEntries(stageAttributes) },
    });
  });
}
