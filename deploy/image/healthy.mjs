/*
 * Health check of images with a control plane: it can use database, Redis and disk. Workers come
 * later, and a media server may go meanwhile.
 */
const port = process.env.PORT || '8080';
const { ok } = await fetch(`http://127.0.0.1:${port}/readyz?exclude=workers,media_server`, {
  signal: AbortSignal.timeout(4_000),
});
process.exit(ok ? 0 : 1);
