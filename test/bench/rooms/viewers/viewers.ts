/*
 * Viewers of the measured rooms, in their own process. Rooms are identified by their id.
 */
import { startMediaEngine } from '../../../../workers/runtime/media-engine.ts';
import type { BenchRoom } from '../rooms.ts';
import { answer } from '../../rpc.ts';
import { Viewer, type TrackStats, type Recording } from './viewer.ts';

startMediaEngine();

const viewers = new Map<string, Viewer>();

type Named = { id: string };
const viewerOf = ({ id }: Named) => viewers.get(id)!;

/** Watches the tracks of `from`. */
async function join({ id, url, viewerToken, from }: BenchRoom & { from: string }): Promise<void> {
  const viewer = new Viewer(from);
  await viewer.join(url, viewerToken);
  viewers.set(id, viewer);
}

async function leave({ id }: Named): Promise<void> {
  await viewers.get(id)?.leave();
  viewers.delete(id);
}

const nextFrame = (room: Named): Promise<number> => viewerOf(room).nextFrame();
const untilLoud = (room: Named): Promise<number> => viewerOf(room).untilLoud();
const untilSilent = (room: Named & { ms: number }): Promise<number> =>
  viewerOf(room).untilSilent(room.ms);
const trackStats = (track: Named & { kind: 'audio' | 'video' }): Promise<TrackStats> =>
  viewerOf(track).trackStats(track.kind);
const forget = (room: Named): void => viewerOf(room).forget();
const recording = (room: Named): Recording => viewerOf(room).recording;

answer({ join, leave, nextFrame, untilLoud, untilSilent, trackStats, forget, recording });
