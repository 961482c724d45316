/*
 * Our folder rule for oxlint: which folder may import which (the table of who may know whom), and where each library has its home.
 * Reads relative, `#` and dynamic imports.
 */
import path from 'node:path';

/** Longest matching folder counts, for the importing file and for what it imports. `files` in `start` are plain file names. */
const mayImport = {
  'src/shared': ['package.json'],
  // END_REASONS are stored, answered and sent: they stand in shared, so protocol may read shared.
  'src/protocol': ['src/shared'],
  'src/errors.ts': [],
  'src/config.ts': [],
  'src/media-servers.ts': ['src/rooms', 'src/config.ts'],
  'src/records': ['src/shared', 'src/errors.ts'],
  'src/rooms': ['src/shared', 'src/errors.ts'],
  'src/events': ['src/records', 'src/shared', 'src/errors.ts'],
  'src/knowledge': ['src/records', 'src/shared', 'src/errors.ts'],
  'src/accounts': ['src/records', 'src/shared', 'src/errors.ts'],
  'src/avatars': ['src/protocol', 'src/events', 'src/records', 'src/shared', 'src/errors.ts'],
  'src/fleet': ['src/protocol', 'src/shared', 'src/errors.ts'],
  'src/sessions': [
    // What the worker of a conversation is told, and what is said of its room.
    'src/protocol/call-brief.ts',
    'src/protocol/room-terms.ts',
    'src/accounts',
    'src/avatars',
    'src/fleet',
    'src/rooms',
    'src/events',
    'src/records',
    'src/shared',
    'src/errors.ts',
  ],
  'src/gateway': [
    'src/sessions',
    'src/fleet',
    'src/avatars',
    'src/accounts',
    'src/protocol',
    'src/shared',
  ],
  'src/http': [
    'src/sessions',
    'src/accounts',
    'src/avatars',
    // What workers say of pictures is answered, and they come by HTTP for blobs.
    'src/protocol/picture-problems.ts',
    'src/protocol/blob-path.ts',
    'src/protocol/call-brief.ts',
    'src/events',
    'src/knowledge',
    'src/rooms',
    'src/fleet',
    'src/records',
    'src/shared',
    'src/errors.ts',
  ],
  'src/web': [],
  // Pages of tables that stand in the code.
  'src/web/docs': [
    'src/web/*',
    'src/accounts/plan.ts',
    'src/protocol/picture-problems.ts',
    'src/errors.ts',
    'src/events/events.ts',
    'src/events/retries.ts',
    'src/fleet/fleet.ts',
    'src/http/metric-names.ts',
    'src/sessions/differences.ts',
    'src/shared/end-reasons.ts',
    'src/shared/timeline.ts',
    'deploy/kubernetes',
    'src/http/doors/door.ts',
    'src/http/doors/table.ts',
  ],
  'src/app.ts': [
    'src/http',
    'src/sessions',
    'src/fleet',
    'src/gateway',
    'src/rooms',
    'src/events',
    'src/knowledge',
    'src/accounts',
    'src/avatars',
    'src/records',
    'src/shared',
    'src/config.ts',
    'src/media-servers.ts',
    'src/errors.ts',
  ],
  'src/main.ts': ['src/app.ts', 'src/config.ts', 'src/shared'],
  'src/start': ['src/config.ts', 'src/shared'],
  'src/commands': ['src/config.ts', 'src/records', 'src/accounts', 'src/shared', 'src/errors.ts'],
  'workers/link': ['src/protocol', 'src/shared'],
  'workers/avatar': ['workers/link', 'src/protocol', 'src/shared', 'workers/avatar/*'],
  'workers/agent': [
    'workers/link',
    'src/protocol',
    'src/shared',
    // Pages and agents speak with one synthesiser.
    'src/web/voice/flite.ts',
    'src/web/voice/speakable.ts',
  ],
  'workers/avatar/transport': [
    'workers/link/disconnects.ts',
    'workers/link/leave-room.ts',
    'workers/link/room-token.ts',
    'src/protocol',
    'src/shared',
  ],
  'workers/avatar/speech': ['src/shared'],
  'workers/avatar/lipsync': ['src/shared'],
  'workers/avatar/lipsync/train': ['workers/avatar/lipsync', 'workers/avatar/speech'],
  'workers/avatar/bundle': ['src/shared', 'workers/avatar/lipsync'],
  'workers/avatar/performer': ['src/shared', 'workers/avatar/lipsync', 'workers/avatar/bundle'],
  'workers/avatar/sync': [
    'src/shared',
    'workers/avatar/transport',
    'workers/avatar/speech',
    'workers/avatar/performer',
  ],
  'workers/avatar/commands': ['workers/avatar/*', 'src/shared'],
  test: ['src/*', 'workers/*'],
};

const homes = {
  fastify: ['src/http', 'src/app.ts'],
  kysely: ['src/records'],
  pg: ['src/records/postgres.ts', 'src/records/postgres-watch.ts'],
  '@fastify/rate-limit': ['src/http'],
  standardwebhooks: ['src/events'],
  unpdf: ['src/knowledge'],
  minisearch: ['src/knowledge'],
  'ipaddr.js': ['src/shared/outgoing.ts'],
  nanoid: ['src/shared/ids.ts'],
  'livekit-server-sdk': ['src/rooms'],
  ws: ['src/gateway', 'workers/link'],
  '@livekit/agents': ['workers/agent'],
  '@livekit/agents-plugin-openai': ['workers/agent'],
  '@livekit/rtc-node': ['workers/link', 'workers/agent', 'workers/avatar/transport'],
  '@livekit/rtc-ffi-bindings': ['workers/link', 'workers/avatar/transport'],
  'livekit-client': ['src/web'],
  '@livekit/components-react': ['src/web'],
  react: ['src/web'],
  'react-dom': ['src/web'],
  '@napi-rs/canvas': [
    'workers/avatar/bundle',
    'workers/avatar/commands',
    'workers/avatar/avatars/photo',
  ],
  '@vladmandic/human': ['workers/avatar/avatars/photo'],
  '@tensorflow/tfjs-core': ['workers/avatar/avatars/photo'],
  '@tensorflow/tfjs-converter': ['workers/avatar/avatars/photo'],
  '@tensorflow/tfjs-backend-wasm': ['workers/avatar/avatars/photo'],
  'prom-client': [
    'src/http/metrics.ts',
    'src/http/fleet-metrics.ts',
    'src/http/session-metrics.ts',
  ],
  pino: ['src/shared/log.ts'],
};

const within = (file, folder) => file === folder || file.startsWith(`${folder}/`);
const longest = (file, folders) =>
  folders.filter((folder) => within(file, folder)).sort((a, b) => b.length - a.length)[0];

function target(specifier, file, root) {
  if (specifier.startsWith('#')) return specifier.replace(/^#/, 'src/');
  if (specifier.startsWith('.'))
    return path.relative(root, path.resolve(path.dirname(file), specifier)).replaceAll('\\', '/');
  return null;
}

function allowed(file, wanted) {
  const home = longest(file, Object.keys(mayImport));
  if (!home || within(wanted, home)) return true;
  return mayImport[home].some((entry) =>
    entry.endsWith('/*') ? within(wanted, entry.slice(0, -2)) : within(wanted, entry),
  );
}

const rule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const root = context.cwd;
    const file = context.filename;
    const own = path.relative(root, file).replaceAll('\\', '/');
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const wanted = target(specifier, file, root);
      if (wanted && !allowed(own, wanted)) {
        context.report({
          node,
          message: `${longest(own, Object.keys(mayImport))} may not import ${wanted}`,
        });
      }
      const library = Object.keys(homes).find(
        (name) => specifier === name || specifier.startsWith(`${name}/`),
      );
      if (library && !within(own, 'test') && !homes[library].some((home) => within(own, home))) {
        context.report({
          node,
          message: `${library} has its home in ${homes[library].join(', ')}`,
        });
      }
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default { meta: { name: 'troupe' }, rules: { folders: rule } };
