import { apiOnPostgres, apiOnSqlite } from './api/api.ts';
import type { Bench, Measure } from './bench.ts';
import { drift, offset, stall } from './rooms/clock.ts';
import { density } from './rooms/density.ts';
import { botroom } from './rooms/botroom.ts';
import { encode, encodingCores } from './encode.ts';
import { realSessions, simulatedSessions } from './endurance.ts';
import {
  controlRestart,
  failoverFromSilence,
  failoverToNew,
  failoverToSpare,
  handOver,
} from './rooms/faults.ts';
import { fleet, fleetOnPostgres, smallFleet, smallFleetOnPostgres } from './api/fleet.ts';
import { knowledge } from './api/knowledge.ts';
import { clear, firstFrame, speechLatency, trackLatency } from './rooms/latency.ts';
import { lipSync } from './lipsync/lipsync.ts';
import { lipSyncCpu } from './lipsync/lipsync-cpu.ts';
import { load } from './rooms/load.ts';
import { render } from './render.ts';
import { nodePlugin, outboundBot, pipecat, pythonPlugin, vendors } from './media/clients.ts';
import { bargeIn, managedRoom, spokenCall } from './media/managed.ts';
import { botroomMoves, draining, pausedWorker } from './media/moves.ts';
import { agentTrack, firstWords, lastSound, roomsLeft } from './media/rooms.ts';
import { smallWebrtc } from './rooms/smallwebrtc.ts';
import { secondStart } from './second-start.ts';

const onStage =
  (measure: Measure): Bench['run'] =>
  async ({ stage, say }) =>
    measure(await stage(), say);

/** Time limits of the journeys of the same names, which judge behaviour. They start several services, and measure in the bench's own process. */
const media: Bench[] = (
  [
    ['room', 'the report that all was played, and the last sound', lastSound],
    ['first-words', 'speech before its viewer subscribes', firstWords],
    ['agent-track', "an agent's track that an avatar repeats", agentTrack],
    ['barge-in', 'a person interrupts a managed agent', bargeIn],
    ['managed-room', 'kill -9 of an agent worker, at the page', managedRoom],
    ['spoken-call', 'words that agent and viewer understand', spokenCall],
    ['botroom-moves', 'interruption, kill and drain in botrooms', botroomMoves],
    ['draining', 'an utterance that a stopping worker cuts', draining],
    ['paused-worker', 'a worker that is stopped or cut off', pausedWorker],
    ['node-plugin', 'playback reports to the Node plugin', nodePlugin],
    ['python-plugin', 'playback reports to the Python plugins', onStage(pythonPlugin)],
    ['vendors', 'plugins of other vendors', onStage(vendors)],
    ['pipecat', 'Pipecat video services', onStage(pipecat)],
    ['outbound-bot', 'a Pipecat bot that the service calls', onStage(outboundBot)],
    ['rooms-left', 'memory that left rooms keep', roomsLeft],
  ] satisfies [string, string, Bench['run']][]
).map(([name, description, run]) => ({
  name,
  description,
  run,
  calmBy: 'others',
  onlyByName: true,
  isOfMedia: true,
}));

/** In order of execution. All pictures have one size. */
export const benches: Bench[] = [
  ...media,
  {
    name: 'first-frame',
    description: 'POST until a viewer has decoded the first frame',
    run: onStage(firstFrame),
  },
  {
    name: 'speech',
    description: 'added latency of speech over a plain publisher',
    run: onStage(speechLatency),
  },
  {
    name: 'track',
    description: 'added latency of a track that the avatar replays',
    run: onStage(trackLatency),
  },
  { name: 'clear', description: 'interruption until silence', run: onStage(clear) },
  { name: 'offset', description: 'picture after sound', run: onStage(offset) },
  {
    name: 'stall',
    description: 'picture after sound after the worker was paused',
    run: onStage(stall),
  },
  {
    name: 'load-1',
    description: 'frames, sound, processor and memory of one speaking session',
    run: onStage(load(1)),
  },
  {
    name: 'load-4',
    description: 'the same of four sessions at once',
    calmBy: 'others',
    run: onStage(load(4)),
  },
  {
    name: 'load-8',
    description: 'the same of eight sessions at once',
    calmBy: 'others',
    run: onStage(load(8)),
  },
  {
    name: 'density',
    description: 'how many avatars this machine holds at 25 fps',
    calmBy: 'others',
    run: onStage(density),
  },
  {
    name: 'render',
    description: 'time and memory of drawing, start of a worker, a photo avatar',
    run: onStage(render),
  },
  {
    name: 'second-start',
    description: 'npm start again, until the service is ready',
    calmBy: 'others',
    run: secondStart,
  },
  {
    name: 'encode',
    description: "cost and size of the botroom's pictures",
    run: encode,
  },
  {
    name: 'botroom',
    description: 'latency, pictures and cost of sessions in botrooms beside LiveKit rooms',
    calmBy: 'others',
    run: async (tools) => [
      ...(await botroom(await tools.stage(), tools.say)),
      ...(await encodingCores()),
    ],
  },
  {
    name: 'smallwebrtc',
    description: 'pictures and lips of a Pipecat bot, in Chromium',
    calmBy: 'others',
    onlyByName: true,
    isOfMedia: true,
    run: onStage(smallWebrtc),
  },
  {
    name: 'lipsync',
    description: "the mouth's scores, clean and in noise, beside other libraries",
    calmBy: 'always',
    run: lipSync,
  },
  {
    name: 'lipsync-cpu',
    description: 'CPU time of the lip-sync in a real worker',
    run: onStage(lipSyncCpu),
  },
  { name: 'knowledge', description: 'questions to a thousand knowledge files', run: knowledge },
  {
    name: 'api-sqlite',
    description: 'the API under load, records in SQLite',
    run: apiOnSqlite,
  },
  {
    name: 'api-postgres',
    description: 'the API under load, records in PostgreSQL',
    run: apiOnPostgres,
  },
  {
    name: 'failover-spare',
    description: 'kill -9 of a worker while another one has free slots',
    calmBy: 'others',
    onlyByName: true,
    run: onStage(failoverToSpare),
  },
  {
    name: 'failover-new',
    description: 'kill -9 of the only worker',
    calmBy: 'others',
    onlyByName: true,
    run: onStage(failoverToNew),
  },
  {
    name: 'failover-silent',
    description: 'SIGSTOP of a worker while another one has free slots',
    calmBy: 'others',
    onlyByName: true,
    run: onStage(failoverFromSilence),
  },
  {
    name: 'control-restart',
    description: 'kill -9 of the control plane under four speaking sessions',
    calmBy: 'others',
    onlyByName: true,
    run: onStage(controlRestart),
  },
  {
    name: 'hand-over',
    description: 'an avatar moves to another worker',
    onlyByName: true,
    isOfMedia: true,
    run: onStage(handOver),
  },
  {
    name: 'fleet',
    description: 'up to 10,000 simulated workers, records in SQLite',
    onlyByName: true,
    run: fleet,
  },
  {
    name: 'fleet-postgres',
    description: 'up to 10,000 simulated workers, records in PostgreSQL',
    onlyByName: true,
    run: fleetOnPostgres,
  },
  {
    name: 'fleet-small',
    description: '100 simulated workers, records in SQLite',
    onlyByName: true,
    run: smallFleet,
  },
  {
    name: 'fleet-small-postgres',
    description: '100 simulated workers, records in PostgreSQL',
    onlyByName: true,
    run: smallFleetOnPostgres,
  },
  {
    name: 'endurance-simulated',
    description: '10,000 sessions without media: leaks',
    calmBy: 'always',
    onlyByName: true,
    run: simulatedSessions,
  },
  {
    name: 'endurance-real',
    description: '200 sessions with real media: leaks',
    calmBy: 'always',
    onlyByName: true,
    run: onStage(realSessions),
  },
  {
    name: 'drift',
    description: 'picture after sound over half an hour',
    onlyByName: true,
    run: onStage(drift),
  },
];
