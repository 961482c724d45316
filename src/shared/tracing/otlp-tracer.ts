/*
 * Sends spans by OTLP over HTTP with OpenTelemetry's exporter, which queues, batches, retries and
 * drops.
 */
import { SpanKind, SpanStatusCode, TraceFlags, type HrTime } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { SOFTWARE_VERSION } from '../process/version.ts';
import type { FinishedSpan } from './finished-span.ts';
import type { SpanContext } from './trace-context.ts';

/** Waiting spans of this process, to limit memory while the receiver is away. */
const MAX_QUEUED = 2_048;
const SEND_EVERY_MS = 2_000;
/** For one batch, with retries. */
const SEND_WITHIN_MS = 10_000;
/** A stop must not wait for a receiver that is away. */
const CLOSE_WITHIN_MS = 2_000;

type OtlpTracerOptions = {
  /** Without the path of the signal. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  instanceId: string;
  clock: Clock;
  log: Log;
};

export class OtlpTracer {
  readonly #clock: Clock;
  readonly #processor: BatchSpanProcessor;
  readonly #resource: Resource;
  #closing: Promise<void> | null = null;

  constructor({ endpoint, headers, serviceName, instanceId, clock, log }: OtlpTracerOptions) {
    this.#clock = clock;
    this.#resource = resourceFromAttributes({
      'service.name': serviceName,
      'service.namespace': 'troupe',
      'service.instance.id': instanceId,
      'service.version': SOFTWARE_VERSION,
    });
    const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
    const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SEND_WITHIN_MS });
    this.#processor = new BatchSpanProcessor(logged(exporter, log), {
      maxQueueSize: MAX_QUEUED,
      scheduledDelayMillis: SEND_EVERY_MS,
      exportTimeoutMillis: SEND_WITHIN_MS,
    });
  }

  record(span: FinishedSpan): void {
    this.#processor.onEnd(toReadable(span, this.#resource));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const cancel = this.#clock.after(CLOSE_WITHIN_MS, late.resolve);
    const shutdown = this.#processor.shutdown().catch(() => {});
    await Promise.race([shutdown, late.promise]);
    cancel();
  }
}

/** Logs when sending begins to fail, and when it works again. */
function logged(exporter: OTLPTraceExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isFailing)
          log.warn({ err: result.error, spans: spans.length }, 'traces not sent');
        if (!hasFailed && isFailing) log.info('traces are sent again');
        isFailing = hasFailed;
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

const contextOf = ({ traceId, spanId }: SpanContext) => ({
  traceId,
  spanId,
  traceFlags: TraceFlags.SAMPLED,
});

function toReadable(span: FinishedSpan, resource: Resource): ReadableSpan {
  const { traceId, spanId, parentSpanId, name, attributes, error, link } = span;
  const endMs = Math.max(span.startMs, span.endMs);
  return {
    name,
    kind: span.isRequest ? SpanKind.SERVER : SpanKind.INTERNAL,
    spanContext: () => contextOf({ traceId, spanId }),
    ...(parentSpanId !== undefined && {
      parentSpanContext: contextOf({ traceId, spanId: parentSpanId }),
    }),
    startTime: hrTime(span.startMs),
    endTime: hrTime(endMs),
    duration: hrTime(endMs - span.startMs),
    status:
      error === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: error },
    attributes,
    links: link ? [{ context: contextOf(link) }] : [],
    events: (span.events ?? []).map(({ name, atMs }) => ({ name, time: hrTime(atMs) })),
    ended: true,
    resource,
    instrumentationScope: { name: 'troupe', version: SOFTWARE_VERSION },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
