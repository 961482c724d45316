/*
 * Triggers garbage collection in another Node process through its inspector. The rest is retained
 * memory. Without this, a heap without memory pressure looks like a leak.
 */
import { withInspector } from './inspector.ts';

/** Resolves with the heap size afterwards, in MB. */
export const collectGarbage = (pid: number): Promise<number> =>
  withInspector(pid, async (ask) => {
    await ask('HeapProfiler.collectGarbage');
    const reply = await ask('Runtime.evaluate', { expression: 'process.memoryUsage().heapUsed' });
    return (reply as { result: { value: number } }).result.value / 2 ** 20;
  });
