import { spanIdOf, type SpanContext } from '#shared/tracing/trace-context.ts';
import type { FinishedSpan } from '#shared/tracing/finished-span.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import type { Clock } from '#shared/clock.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import type { Placement } from '#protocol/placement.ts';

/** Unfinished utterances of one session. */
const MAX_OPEN = 100;

type SessionTraceParts = {
  placement: Placement;
  /** Meaning of the start: a face is shown, or an agent listens. */
  startName: 'first frame' | 'agent joined';
  parent: SpanContext;
  tracer: Tracer;
  clock: Clock;
};

type Utterance = { receivedAt: number; startedAt: number | null };

/** Records the spans of one placement: the performance, joining, the first frame, utterances. */
export class SessionTrace {
  readonly #tracer: Tracer;
  readonly #clock: Clock;
  readonly #placement: Placement;
  readonly #startName: string;
  readonly #parent: SpanContext;
  readonly #assignedAt: number;
  readonly #utterances = new Map<number, Utterance>();
  #joinedAt: number | null = null;
  #isOver = false;

  constructor({ placement, startName, parent, tracer, clock }: SessionTraceParts) {
    this.#placement = placement;
    this.#startName = startName;
    this.#parent = parent;
    this.#tracer = tracer;
    this.#clock = clock;
    this.#assignedAt = clock.now();
  }

  record(event: WorkerTimelineEvent): void {
    const now = this.#clock.now();
    switch (event.kind) {
      case 'joined':
        this.#joinedAt = now;
        return this.#part('join', 'join', this.#assignedAt);
      case 'speech_received':
        if (this.#utterances.size < MAX_OPEN)
          this.#utterances.set(event.segment, { receivedAt: now, startedAt: null });
        return;
      case 'speech_started': {
        const utterance = this.#utterances.get(event.segment);
        if (utterance) utterance.startedAt = now;
        return;
      }
      case 'speech_finished':
        return this.#finish(event.segment, {
          'troupe.interrupted': event.interrupted,
          'troupe.position_seconds': event.positionSeconds,
        });
      case 'agent_missing':
      case 'speech_refused':
      case 'interrupted':
      case 'frames':
      case 'quality':
    }
  }

  /** The first frame was sent, or the agent listens. */
  started(): void {
    this.#part(this.#startName, 'start', this.#joinedAt ?? this.#assignedAt);
  }

  /** `error`: a fault of this worker. */
  end(reason: string, error?: string): void {
    if (this.#isOver) return;
    for (const segment of this.#utterances.keys())
      this.#finish(segment, { 'troupe.unfinished': true });
    this.#isOver = true;
    this.#tracer.record({
      ...this.#base({ 'troupe.end_reason': reason }),
      name: 'performance',
      spanId: this.#spanId,
      parentSpanId: this.#parent.spanId,
      startMs: this.#assignedAt,
      error,
    });
  }

  #finish(segment: number, attributes: FinishedSpan['attributes']): void {
    const utterance = this.#utterances.get(segment);
    if (!utterance) return;
    this.#utterances.delete(segment);
    const { receivedAt, startedAt } = utterance;
    const events = startedAt === null ? [] : [{ name: 'playback started', atMs: startedAt }];
    this.#part('utterance', `utterance ${segment}`, receivedAt, attributes, events);
  }

  #part(
    name: string,
    id: string,
    startMs: number,
    attributes: FinishedSpan['attributes'] = {},
    events: FinishedSpan['events'] = [],
  ): void {
    if (this.#isOver) return;
    const { sessionId, epoch } = this.#placement;
    this.#tracer.record({
      ...this.#base(attributes),
      name,
      spanId: spanIdOf(sessionId, epoch, id),
      parentSpanId: this.#spanId,
      startMs,
      events,
    });
  }

  get #spanId(): string {
    return spanIdOf(this.#placement.sessionId, 'performance', this.#placement.epoch);
  }

  #base(attributes: FinishedSpan['attributes']) {
    const { sessionId, epoch } = this.#placement;
    return {
      traceId: this.#parent.traceId,
      endMs: this.#clock.now(),
      attributes: { 'troupe.session.id': sessionId, 'troupe.epoch': epoch, ...attributes },
    };
  }
}
