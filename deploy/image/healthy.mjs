/* Health check of images with a control plane: it answers. A control plane without workers is healthy, though not ready. */
const port = process.env.PORT || '8080';
const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, {
  signal: AbortSignal.timeout(4_000),
});
process.exit(ok ? 0 : 1);
