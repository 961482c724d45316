import type { SpanContext } from './trace-context.ts';

export type FinishedSpan = SpanContext & {
  parentSpanId?: string | undefined;
  name: string;
  /** A request that another system made. */
  isRequest?: boolean;
  /** Milliseconds since the epoch. */
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number | boolean>;
  events?: { name: string; atMs: number }[];
  /** Why it failed. */
  error?: string | undefined;
  /** The span of another trace that caused this one. */
  link?: SpanContext | undefined;
};
