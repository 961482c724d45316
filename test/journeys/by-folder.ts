/** By folder of the sources: the journeys that show with real media, processes or a browser that it works. Empty: other tests do. */
export const journeysByFolder: Record<string, string[]> = {
  'src/accounts': ['console-building', 'short-token'],
  'src/avatars': ['photo-avatar'],
  'src/botrooms': ['botroom', 'botroom-client', 'botroom-control-plane', 'outbound-bot'],
  'src/calls': ['call', 'early-text', 'managed-calls', 'managed-room', 'spoken-call'],
  'src/cli': ['start'],
  'src/clients': ['docs-agents', 'embed', 'node-plugin', 'python-plugin'],
  'src/cluster': [],
  'src/egress': ['outbound-bot', 'overflow'],
  'src/events': ['managed-calls'],
  'src/fleet': ['chaos', 'draining', 'paused-worker'],
  'src/gateway': ['chaos', 'control-plane', 'worker-tls'],
  'src/http': ['call', 'console', 'docs', 'pipecat', 'vendors'],
  'src/knowledge': ['managed-calls', 'managed-room'],
  'src/overflow': ['overflow'],
  'src/protocol': ['botroom', 'control-plane', 'room'],
  'src/records': ['chaos', 'control-plane'],
  'src/rooms': ['media-server', 'room', 'short-token'],
  'src/sessions': ['chaos', 'control-plane', 'draining', 'paused-worker'],
  'src/shared': ['start', 'traces'],
  'src/start': ['media-server', 'start'],
  'src/web': [
    'console',
    'console-building',
    'docs',
    'embed',
    'room-page',
    'room-page-agent',
    'room-page-barriers',
    'try-page',
  ],
  'workers/agent': [
    'call',
    'early-text',
    'managed-calls',
    'managed-room',
    'spoken-call',
    'two-calls',
  ],
  'workers/avatar': [
    'agent-track',
    'botroom',
    'draining',
    'first-words',
    'full-reconnect',
    'pipecat-webrtc',
    'room',
    'rooms-left',
  ],
  'workers/bundle': ['photo-avatar', 'worker-tls'],
  'workers/enrolment': ['photo-avatar'],
  'workers/probe': ['start'],
  'workers/runtime': ['control-plane', 'draining', 'full-reconnect', 'worker-tls'],
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
