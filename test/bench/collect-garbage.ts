/*
 * Has another process of Node's collect its garbage, by its inspector: what it holds afterwards is what it keeps. Without this, a heap that was
 * never short of room looks like one that grows.
 */
import { withInspector } from './inspector.ts';

/** Resolves with what its heap holds then, in MB. */
export const collectGarbage = (pid: number): Promise<number> =>
  withInspector(pid, async (ask) => {
    await ask('HeapProfiler.collectGarbage');
    const told = await ask('Runtime.evaluate', { expression: 'process.memoryUsage().heapUsed' });
    return (told as { result: { value: number } }).result.value / 2 ** 20;
  });
