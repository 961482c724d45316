import { pause } from '../pause.ts';
import { withInspector } from '../inspector.ts';

export type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
  startTime: number;
  endTime: number;
};

const SAMPLE_EVERY_US = 200;

/** Samples the main thread of another Node process for `ms`. */
export const profileOf = (pid: number, ms: number): Promise<Profile> =>
  withInspector(pid, async (ask) => {
    await ask('Profiler.enable');
    await ask('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
    await ask('Profiler.start');
    await pause(ms);
    return ((await ask('Profiler.stop')) as { profile: Profile }).profile;
  });

/** Share of time spent in functions of `folder` and their callees. */
export function shareIn(profile: Profile, folder: string): number {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const inside = new Set<number>();
  const enter = (id: number) => {
    if (inside.has(id)) return;
    inside.add(id);
    for (const child of byId.get(id)?.children ?? []) enter(child);
  };
  for (const { id, callFrame } of profile.nodes) if (callFrame.url.includes(folder)) enter(id);
  const spentUs = profile.samples.reduce(
    // A sample stands for the time until the next one.
    (sum, id, i) => sum + (inside.has(id) ? (profile.timeDeltas[i + 1] ?? 0) : 0),
    0,
  );
  return spentUs / (profile.endTime - profile.startTime);
}
