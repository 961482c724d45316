/** Settings of one request, instead of those of the client. */
export type RequestOptions = {
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  /** A repeat with the same key gets the answer of the first request. Default: a random one. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
};
