/** How long a test waits for what must happen. A busy machine is ten times slower. */
export const PATIENCE_MS = 180_000;
