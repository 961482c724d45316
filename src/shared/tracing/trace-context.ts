/* W3C Trace Context. Ids are derived, so that any process names a session's spans without state. */
import { hash } from 'node:crypto';

/** In hex: 32 and 16 digits. */
export type SpanContext = { traceId: string; spanId: string };

/** The trace of a session or call: its UUID without hyphens. */
export function traceIdOf(id: string): string {
  const digits = id.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) ? digits : hash('sha256', id).slice(0, 32);
}

/** Equal names give equal ids. */
export const spanIdOf = (...names: (string | number)[]): string =>
  hash('sha256', names.join('/')).slice(0, 16);

/** Value of the header `traceparent`, for a span that is recorded. */
export const toTraceparent = ({ traceId, spanId }: SpanContext): string =>
  `00-${traceId}-${spanId}-01`;

const TRACEPARENT =
  /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

/** Null for anything else than a `traceparent`. */
export function readTraceparent(text: string): SpanContext | null {
  const [, traceId, spanId] = TRACEPARENT.exec(text) ?? [];
  return traceId !== undefined && spanId !== undefined ? { traceId, spanId } : null;
}
