import type { Bench, Measure } from './bench.ts';

const onStage =
  (load: () => Promise<Measure>): Bench['run'] =>
  async ({ stage, say }) =>
    (await load())(await stage(), say);

/** Time limits of the journeys of the same names. They start services of their own. */
const media: Bench[] = (
  [
    {
      name: 'room',
      description: 'the report that all was played, and the last sound',
      run: async () => (await import('./media/rooms.ts')).lastSound(),
    },
    {
      name: 'first-words',
      description: 'speech before its viewer subscribes',
      run: async () => (await import('./media/rooms.ts')).firstWords(),
    },
    {
      name: 'agent-track',
      description: "an agent's track that an avatar repeats",
      run: async () => (await import('./media/rooms.ts')).agentTrack(),
    },
    {
      name: 'barge-in',
      description: 'a person interrupts a managed agent',
      run: async () => (await import('./media/managed.ts')).bargeIn(),
    },
    {
      name: 'managed-room',
      description: 'kill -9 of an agent worker, at the page',
      run: async () => (await import('./media/managed.ts')).managedRoom(),
    },
    {
      name: 'spoken-call',
      description: 'words that agent and viewer understand',
      run: async () => (await import('./media/managed.ts')).spokenCall(),
    },
    {
      name: 'botroom-moves',
      description: 'interruption, kill and drain in botrooms',
      run: async () => (await import('./media/moves.ts')).botroomMoves(),
    },
    {
      name: 'draining',
      description: 'an utterance that a stopping worker cuts',
      run: async () => (await import('./media/moves.ts')).draining(),
    },
    {
      name: 'paused-worker',
      description: 'a worker that is stopped or cut off',
      run: async (tools) => (await import('./media/moves.ts')).pausedWorker(tools),
    },
    {
      name: 'node-plugin',
      description: 'playback reports to the Node plugin',
      run: async () => (await import('./media/clients.ts')).nodePlugin(),
    },
    {
      name: 'python-plugin',
      description: 'playback reports to the Python plugins',
      run: onStage(async () => (await import('./media/clients.ts')).pythonPlugin),
    },
    {
      name: 'vendors',
      description: 'plugins of other vendors',
      run: onStage(async () => (await import('./media/clients.ts')).vendors),
    },
    {
      name: 'pipecat',
      description: 'Pipecat video services',
      run: onStage(async () => (await import('./media/clients.ts')).pipecat),
    },
    {
      name: 'outbound-bot',
      description: 'a Pipecat bot that the service calls',
      run: onStage(async () => (await import('./media/clients.ts')).outboundBot),
    },
    {
      name: 'ladder',
      description: 'a worker whose CPU time is taken away and given back',
      run: async (tools) => (await import('./media/ladder.ts')).ladder(tools),
    },
    {
      name: 'rooms-left',
      description: 'memory that left rooms keep',
      run: async () => (await import('./media/rooms.ts')).roomsLeft(),
    },
  ] satisfies Bench[]
).map((bench) => ({ ...bench, calmBy: 'others', onlyByName: true, isOfMedia: true }));

/** In order of execution. Loaded to run: `--help` needs no development packages and no Redis. */
export const benches: Bench[] = [
  ...media,
  {
    name: 'first-frame',
    description: 'POST until a viewer has decoded the first frame',
    run: onStage(async () => (await import('./rooms/latency.ts')).firstFrame),
  },
  {
    name: 'speech',
    description: 'added latency of speech over a plain publisher',
    run: onStage(async () => (await import('./rooms/latency.ts')).speechLatency),
  },
  {
    name: 'track',
    description: 'added latency of a track that the avatar replays',
    run: onStage(async () => (await import('./rooms/latency.ts')).trackLatency),
  },
  {
    name: 'clear',
    description: 'interruption until silence',
    run: onStage(async () => (await import('./rooms/latency.ts')).clear),
  },
  {
    name: 'offset',
    description: 'picture after sound',
    run: onStage(async () => (await import('./rooms/clock.ts')).offset),
  },
  {
    name: 'stall',
    description: 'picture after sound after the worker was paused',
    run: onStage(async () => (await import('./rooms/clock.ts')).stall),
  },
  {
    name: 'conversation',
    description: 'hearing, turns and answers of agents, without a key',
    calmBy: 'others',
    onlyByName: true,
    run: async (tools) => (await import('./conversation/conversation.ts')).conversation(tools),
  },
  {
    name: 'load-1',
    description: 'frames, sound, processor and memory of one speaking session',
    run: onStage(async () => (await import('./rooms/load.ts')).load(1)),
  },
  {
    name: 'load-4',
    description: 'the same of four sessions at once',
    calmBy: 'others',
    run: onStage(async () => (await import('./rooms/load.ts')).load(4)),
  },
  {
    name: 'load-8',
    description: 'the same of eight sessions at once',
    calmBy: 'others',
    run: onStage(async () => (await import('./rooms/load.ts')).load(8)),
  },
  {
    name: 'density',
    description: 'how many avatars this machine holds at 25 fps',
    calmBy: 'others',
    run: onStage(async () => (await import('./rooms/density.ts')).density),
  },
  {
    name: 'render',
    description: 'time and memory of drawing, start of a worker, a photo avatar',
    run: onStage(async () => (await import('./render.ts')).render),
  },
  {
    name: 'second-start',
    description: 'npm start again, until the service is ready',
    calmBy: 'others',
    run: async (tools) => (await import('./second-start.ts')).secondStart(tools),
  },
  {
    name: 'encode',
    description: "cost and size of the botroom's pictures",
    run: async () => (await import('./encode.ts')).encode(),
  },
  {
    name: 'botroom',
    description: 'latency, pictures and cost of sessions in botrooms beside LiveKit rooms',
    calmBy: 'others',
    run: async ({ stage, say }) => {
      const { botroom } = await import('./rooms/botrooms/botroom.ts');
      const { encodingCores } = await import('./encode.ts');
      return [...(await botroom(await stage(), say)), ...(await encodingCores())];
    },
  },
  {
    name: 'smallwebrtc',
    description: 'pictures and lips of a Pipecat bot, in Chromium',
    calmBy: 'others',
    onlyByName: true,
    isOfMedia: true,
    run: onStage(async () => (await import('./rooms/smallwebrtc.ts')).smallWebrtc),
  },
  {
    name: 'lipsync',
    description: "the mouth's scores, clean and in noise, beside other libraries",
    calmBy: 'always',
    run: async (tools) => (await import('./lipsync/lipsync.ts')).lipSync(tools),
  },
  {
    name: 'lipsync-cpu',
    description: 'CPU time of the lip-sync in a real worker',
    run: onStage(async () => (await import('./lipsync/lipsync-cpu.ts')).lipSyncCpu),
  },
  {
    name: 'knowledge',
    description: 'questions to a thousand knowledge files',
    run: async () => (await import('./api/knowledge.ts')).knowledge(),
  },
  {
    name: 'attacks',
    description: 'waits of /healthz and memory while the control plane is attacked',
    calmBy: 'others',
    onlyByName: true,
    run: async ({ say }) => (await import('./api/attacks.ts')).attackRows(say),
  },
  {
    name: 'api-sqlite',
    description: 'the API under load, records in SQLite',
    run: async () => (await import('./api/api.ts')).apiOnSqlite(),
  },
  {
    name: 'api-postgres',
    description: 'the API under load, records in PostgreSQL',
    run: async () => (await import('./api/api.ts')).apiOnPostgres(),
  },
  {
    name: 'failover-spare',
    description: 'kill -9 of a worker while another one has free slots',
    calmBy: 'others',
    onlyByName: true,
    run: onStage(async () => (await import('./rooms/faults.ts')).failoverToSpare),
  },
  {
    name: 'failover-new',
    description: 'kill -9 of the only worker',
    calmBy: 'others',
    onlyByName: true,
    run: onStage(async () => (await import('./rooms/faults.ts')).failoverToNew),
  },
  {
    name: 'failover-silent',
    description: 'SIGSTOP of a worker while another one has free slots',
    calmBy: 'others',
    onlyByName: true,
    run: onStage(async () => (await import('./rooms/faults.ts')).failoverFromSilence),
  },
  {
    name: 'control-restart',
    description: 'kill -9 of the control plane under four speaking sessions',
    calmBy: 'others',
    onlyByName: true,
    run: onStage(async () => (await import('./rooms/faults.ts')).controlRestart),
  },
  {
    name: 'hand-over',
    description: 'an avatar moves to another worker',
    onlyByName: true,
    isOfMedia: true,
    run: onStage(async () => (await import('./rooms/faults.ts')).handOver),
  },
  {
    name: 'fleet',
    description: 'up to 10,000 simulated workers, records in SQLite',
    onlyByName: true,
    run: async () => (await import('./api/fleet.ts')).fleet(),
  },
  {
    name: 'fleet-postgres',
    description: 'up to 10,000 simulated workers, records in PostgreSQL',
    onlyByName: true,
    run: async () => (await import('./api/fleet.ts')).fleetOnPostgres(),
  },
  {
    name: 'fleet-small',
    description: '100 simulated workers, records in SQLite',
    onlyByName: true,
    run: async () => (await import('./api/fleet.ts')).smallFleet(),
  },
  {
    name: 'fleet-small-postgres',
    description: '100 simulated workers, records in PostgreSQL',
    onlyByName: true,
    run: async () => (await import('./api/fleet.ts')).smallFleetOnPostgres(),
  },
  {
    name: 'endurance-simulated',
    description: '10,000 sessions without media: leaks',
    calmBy: 'always',
    onlyByName: true,
    run: async () => (await import('./endurance.ts')).simulatedSessions(),
  },
  {
    name: 'endurance-real',
    description: '200 sessions with real media: leaks',
    calmBy: 'always',
    onlyByName: true,
    run: onStage(async () => (await import('./endurance.ts')).realSessions),
  },
  {
    name: 'drift',
    description: 'picture after sound over half an hour',
    onlyByName: true,
    run: onStage(async () => (await import('./rooms/clock.ts')).drift),
  },
];
