import type { Clock } from '../clock.ts';
import { newName } from '../ids.ts';
import type { Log } from '../log.ts';
import type { FinishedSpan } from './finished-span.ts';
import { TraceIds } from './trace-ids.ts';

export interface Tracer {
  /** Queues the span. Drops it when too many wait. */
  record(span: FinishedSpan): void;
  /** Sends what waits, for a short time only. */
  close(): Promise<void>;
}

type TracingSettings = {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string;
};

type TracerOptions = {
  settings: TracingSettings;
  process: 'control' | 'avatar-worker' | 'agent-worker';
  /** Distinguishes processes. Default: a random one. */
  instanceId?: string;
  clock: Clock;
  log: Log;
};

/** Null without an endpoint: nothing is loaded then. */
export async function openTracer({ settings, ...options }: TracerOptions): Promise<Tracer | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = settings;
  if (endpoint === undefined) return null;
  const { OtlpTracer } = await import('./otlp-tracer.ts');
  const { process, instanceId = newName(process), clock, log } = options;
  return new OtlpTracer({
    endpoint,
    headers: readHeaders(headers ?? ''),
    serviceName: `troupe-${process}`,
    instanceId,
    clock,
    log,
  });
}

/** For the process's log and tracer. Null without an endpoint. */
export const traceIdsFor = (settings: TracingSettings): TraceIds | null =>
  settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? null : new TraceIds();

/** `name=value,name=value`; values are URL-encoded. */
const readHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.includes('='))
      .map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
      }),
  );
