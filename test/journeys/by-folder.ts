/** By source folder: the journeys that show it with real media, processes or a browser. */
export const journeysByFolder: Record<string, string[]> = {
  'src/accounts': ['pages/console-building', 'rooms/short-token'],
  'src/avatars': ['service/photo-avatar'],
  'src/botrooms': [
    'botrooms/botroom',
    'botrooms/botroom-client',
    'botrooms/botroom-control-plane',
    'botrooms/outbound-bot',
  ],
  'src/calls': [
    'calls/call',
    'calls/early-text',
    'calls/managed-calls',
    'calls/managed-room',
    'calls/spoken-call',
  ],
  'src/cli': ['service/start'],
  'src/clients': [
    'vendors/docs-agents',
    'pages/embed',
    'vendors/node-plugin',
    'vendors/python-plugin',
  ],
  'src/cluster': [],
  'src/egress': ['botrooms/outbound-bot', 'fleet/overflow'],
  'src/events': ['calls/managed-calls'],
  'src/fleet': ['fleet/chaos', 'fleet/draining', 'fleet/paused-worker'],
  'src/gateway': ['fleet/chaos', 'fleet/control-plane', 'fleet/worker-tls'],
  'src/http': ['calls/call', 'pages/console', 'pages/docs', 'vendors/pipecat', 'vendors/vendors'],
  'src/knowledge': ['calls/managed-calls', 'calls/managed-room'],
  'src/overflow': ['fleet/overflow'],
  'src/protocol': ['botrooms/botroom', 'fleet/control-plane', 'rooms/room'],
  'src/records': ['fleet/chaos', 'fleet/control-plane'],
  'src/rooms': ['rooms/media-server', 'rooms/room', 'rooms/short-token'],
  'src/sessions': ['fleet/chaos', 'fleet/control-plane', 'fleet/draining', 'fleet/paused-worker'],
  'src/shared': ['service/start', 'service/traces'],
  'src/speech-models': ['service/start'],
  'src/start': [
    'rooms/media-server',
    'service/fresh-clone',
    'service/quiet-terminal',
    'service/start',
  ],
  'src/web': [
    'pages/blocked-browser',
    'pages/console',
    'pages/console-building',
    'pages/console-conversations',
    'pages/console-first-run',
    'pages/docs',
    'pages/embed',
    'pages/front-page',
    'pages/poor-browser',
    'pages/room-page',
    'pages/room-page-agent',
    'pages/room-page-barriers',
    'pages/try-page',
  ],
  'src/work': ['calls/managed-calls'],
  'workers/agent': [
    'calls/call',
    'calls/early-text',
    'calls/managed-calls',
    'calls/managed-room',
    'calls/spoken-call',
    'calls/two-calls',
  ],
  'workers/avatar': [
    'rooms/agent-track',
    'botrooms/botroom',
    'fleet/draining',
    'calls/first-words',
    'rooms/full-reconnect',
    'vendors/pipecat-webrtc',
    'rooms/room',
    'rooms/rooms-left',
  ],
  'workers/bundle': ['service/photo-avatar', 'fleet/worker-tls'],
  'workers/enrolment': ['service/photo-avatar'],
  'workers/probe': ['service/start'],
  'workers/runtime': [
    'fleet/control-plane',
    'fleet/draining',
    'rooms/full-reconnect',
    'fleet/worker-tls',
  ],
  'workers/studio': [],
};

/** Journeys that prove the folders of these files, each once. */
export function journeysFor(files: string[]): string[] {
  const folders = Object.keys(journeysByFolder).filter((folder) =>
    files.some((file) => file.startsWith(`${folder}/`)),
  );
  const changed = files.flatMap((file) => /^test\/journeys\/(.+)\.test\.ts$/.exec(file)?.[1] ?? []);
  return [
    ...new Set([...folders.flatMap((folder) => journeysByFolder[folder]!), ...changed]),
  ].sort();
}
