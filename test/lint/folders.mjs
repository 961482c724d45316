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
  'src/records': ['src/shared', 'src/errors.ts'],
  'src/rooms': ['src/shared', 'src/errors.ts'],
  'src/events': ['src/records', 'src/shared', 'src/errors.ts'],
  'src/knowledge': ['src/records', 'src/shared', 'src/errors.ts'],
  'src/accounts': ['src/records', 'src/shared', 'src/errors.ts'],
  'src/fleet': ['src/protocol', 'src/shared', 'src/errors.ts'],
  'src/sessions': [
    'src/accounts',
    'src/fleet',
    'src/rooms',
    'src/events',
    'src/records',
    'src/shared',
    'src/errors.ts',
  ],
  'src/gateway': ['src/sessions', 'src/fleet', 'src/accounts', 'src/protocol', 'src/shared'],
  'src/http': [
    'src/sessions',
    'src/accounts',
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
    'src/errors.ts',
    'src/events/events.ts',
    'src/events/retries.ts',
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
    'src/records',
    'src/shared',
    'src/config.ts',
    'src/errors.ts',
  ],
  'src/main.ts': ['src/app.ts', 'src/config.ts', 'src/shared'],
  'src/start': ['src/config.ts', 'src/shared'],
  'src/commands': ['src/config.ts', 'src/records', 'src/accounts', 'src/shared', 'src/errors.ts'],
  'workers/link': ['src/protocol', 'src/shared'],
  'workers/avatar': ['workers/link', 'src/protocol', 'src/shared', 'workers/avatar/*'],
  'workers/avatar/transport': ['src/protocol', 'src/shared'],
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
  pg: ['src/records/postgres.ts'],
  '@fastify/rate-limit': ['src/http'],
  standardwebhooks: ['src/events'],
  unpdf: ['src/knowledge'],
  'ipaddr.js': ['src/shared/outgoing.ts'],
  nanoid: ['src/shared/ids.ts'],
  'livekit-server-sdk': ['src/rooms'],
  ws: ['src/gateway', 'workers/link'],
  '@livekit/rtc-node': ['workers/avatar/transport', 'workers/avatar/worker.ts'],
  '@livekit/rtc-ffi-bindings': ['workers/avatar/transport'],
  'livekit-client': ['src/web'],
  react: ['src/web'],
  'react-dom': ['src/web'],
  '@napi-rs/canvas': ['workers/avatar/bundle', 'workers/avatar/commands'],
  'prom-client': ['src/http/metrics.ts'],
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
