/** How long a test waits for something that must happen at all. A busy machine takes ten times as long as an idle one. */
export const PATIENCE_MS = 180_000;
