/*
 * The folder rule for oxlint: which folder may import which, and the one home of each library.
 * Checks relative, `#` and dynamic imports.
 */
import path from 'node:path';

const errors = 'src/errors.ts';

/**
 * The longest matching entry applies to a file. A file may always import from that entry's folder.
 */
export const mayImport = {
  'src/shared': ['package.json'],
  'src/protocol': ['src/shared'],
  'src/errors.ts': [],
  'src/config.ts': ['src/shared'],
  'src/egress': ['src/shared', errors],
  'src/work': ['src/shared', errors],
  'src/speech-models': ['src/shared'],
  'src/cluster': ['src/shared', errors],
  'src/records': ['src/protocol', 'src/shared', errors],
  'src/rooms': ['src/protocol', 'src/shared', errors],
  'src/botrooms': ['src/protocol', 'src/shared', errors],
  'src/events': ['src/records', 'src/egress', 'src/protocol', 'src/shared', errors],
  'src/accounts': ['src/records', 'src/egress', 'src/shared', errors],
  'src/knowledge': ['src/records', 'src/egress', 'src/work', 'src/shared', errors],
  'src/fleet': ['src/cluster', 'src/protocol', 'src/shared', errors],
  'src/overflow': ['src/fleet', 'src/records', 'src/egress', 'src/protocol', 'src/shared', errors],
  'src/sessions': [
    'src/fleet',
    'src/botrooms',
    'src/rooms',
    'src/records',
    'src/cluster',
    'src/accounts',
    'src/events',
    'src/protocol',
    'src/shared',
    errors,
  ],
  'src/calls': [
    'src/sessions',
    'src/knowledge',
    'src/egress',
    'src/work',
    'src/events',
    'src/records',
    'src/accounts',
    'src/protocol',
    'src/shared',
    errors,
  ],
  'src/avatars': [
    'src/sessions',
    'src/knowledge',
    'src/egress',
    'src/work',
    'src/events',
    'src/records',
    'src/accounts',
    'src/protocol',
    'src/shared',
    errors,
  ],
  'src/gateway': [
    'src/sessions',
    'src/calls',
    'src/avatars',
    'src/fleet',
    'src/accounts',
    'src/protocol',
    'src/shared',
  ],
  'src/http': [
    'src/overflow',
    'src/gateway',
    'src/calls',
    'src/avatars',
    'src/sessions',
    'src/fleet',
    'src/events',
    'src/accounts',
    'src/knowledge',
    'src/speech-models',
    'src/work',
    'src/records',
    'src/botrooms',
    'src/rooms',
    'src/egress',
    'src/cluster',
    'src/protocol',
    'src/shared',
    errors,
  ],
  // Packages for the users of the service: they import nothing of ours.
  'src/clients': [],
  'src/web': ['src/protocol'],
  'src/web/console': ['src/web', 'src/protocol', 'src/clients/typescript/src/generated/models.ts'],
  // The only exception for pages: the documentation shows tables of facts (refusals, faults, plans,
  // events, vendors, a manifest) that are read from the code at build time and so cannot differ.
  'src/web/docs': [
    'src/web',
    'src/protocol',
    errors,
    'src/accounts/plan.ts',
    'src/events/events.ts',
    'src/events/retries.ts',
    'src/fleet/fleet.ts',
    'src/http/compat/vendor-adapter.ts',
    'src/http/compat/vendor-adapters.ts',
    'src/sessions/reconciliation',
  ],
  'src/app.ts': [
    'src/overflow',
    'src/http',
    'src/gateway',
    'src/calls',
    'src/avatars',
    'src/sessions',
    'src/fleet',
    'src/events',
    'src/accounts',
    'src/knowledge',
    'src/speech-models',
    'src/work',
    'src/records',
    'src/botrooms',
    'src/rooms',
    'src/egress',
    'src/cluster',
    'src/protocol',
    'src/shared',
    'src/config.ts',
    errors,
  ],
  'src/main.ts': ['src/app.ts', 'src/config.ts', 'src/shared'],
  'src/start': [
    'src/config.ts',
    'src/shared',
    // Started as child processes: the variables that they may see.
    'workers/agent/config.ts',
    'workers/avatar/config.ts',
  ],
  // The command `troupe`: asks a service by its public API, or runs what the npm scripts run.
  'src/cli': [
    // The command asks services through the published SDK.
    'src/clients/typescript/src',
    'src/speech-models',
    'src/start',
    'src/config.ts',
    'src/shared',
    // Run in its process, and the variables that they may see.
    'workers/agent/config.ts',
    'workers/agent/main.ts',
    'workers/avatar/config.ts',
    'workers/avatar/main.ts',
  ],
  'src/start/commands': [
    'src/start/control-flags.ts',
    'src/start/deletion-cost',
    'src/start/audit',
    'src/start/notices',
    'src/start/dashboards',
    // The rules that Prometheus reads.
    'src/http/alerts/prometheus-rules.ts',
    'src/start/examples',
    'src/start/build/docs.ts',
    'src/start/build/package-files.ts',
    'src/start/build/pages.ts',
    'src/start/processes',
    'src/config.ts',
    'src/records',
    'src/accounts',
    'src/shared',
    errors,
  ],
  // Builds the whole service for its API document.
  'src/start/commands/openapi.ts': ['src/app.ts', 'src/config.ts', 'src/shared'],
  'workers/runtime': ['src/protocol', 'src/shared'],
  'workers/bundle': ['src/shared'],
  'workers/avatar': [
    'workers/runtime',
    'workers/bundle',
    // Started as a child process.
    'workers/enrolment/build-avatar.ts',
    'src/protocol',
    'src/shared',
  ],
  'workers/enrolment': ['workers/runtime', 'workers/bundle', 'src/protocol', 'src/shared'],
  'workers/agent': ['workers/runtime', 'workers/bundle', 'src/protocol', 'src/shared'],
  // A client like any other.
  'workers/probe': ['workers/runtime', 'src/clients/typescript/src', 'src/protocol', 'src/shared'],
  'workers/studio': [
    'workers/avatar',
    'workers/agent',
    'workers/bundle',
    'workers/enrolment',
    'workers/runtime',
    'src/protocol',
    'src/shared',
  ],
  // Parts of the avatar worker.
  'workers/avatar/transport': [
    'workers/runtime/disconnects.ts',
    'workers/runtime/leave-room.ts',
    'workers/runtime/media-socket.ts',
    'workers/runtime/room-token.ts',
    'src/protocol',
    'src/shared',
  ],
  'workers/avatar/speech': ['src/protocol/audio.ts', 'src/shared'],
  'workers/avatar/lipsync': ['workers/bundle', 'src/protocol/audio.ts', 'src/shared'],
  'workers/avatar/performer': [
    'workers/avatar/lipsync',
    'workers/bundle',
    'src/protocol/pictures',
    'src/shared',
  ],
  'workers/avatar/sync': [
    'workers/avatar/transport',
    'workers/avatar/speech',
    'workers/avatar/performer',
    'src/protocol/audio.ts',
    'src/shared',
  ],
  test: ['src', 'workers'],
};

/** Tests and examples may import any library. */
export const homes = {
  commander: ['src/cli'],
  fastify: ['src/http', 'src/app.ts'],
  kysely: ['src/records'],
  pg: ['src/records/engine'],
  '@fastify/rate-limit': ['src/http/limits'],
  standardwebhooks: ['src/events'],
  unpdf: ['src/knowledge'],
  ioredis: ['src/cluster', 'src/fleet/redis'],
  'ipaddr.js': ['src/shared/network/address-policy.ts'],
  '@bufbuild/protobuf': ['src/protocol/pipecat'],
  nanoid: ['src/shared/ids.ts'],
  'livekit-server-sdk': ['src/rooms', 'src/clients/livekit-node'],
  ws: ['src/gateway', 'src/botrooms', 'workers/runtime', 'workers/avatar/transport'],
  '@livekit/agents': ['workers/agent', 'src/clients/livekit-node'],
  '@livekit/agents-plugin-openai': ['workers/agent'],
  openai: ['workers/agent'],
  '@livekit/rtc-node': [
    'src/clients/livekit-node',
    'workers/runtime',
    'workers/agent',
    'workers/avatar/transport',
    'workers/probe',
  ],
  '@livekit/rtc-ffi-bindings': ['workers/runtime', 'workers/avatar/transport'],
  'livekit-client': ['src/web'],
  react: ['src/web', 'src/clients/react', 'deploy/examples'],
  'react-dom': ['src/web', 'deploy/examples'],
  canvas: ['workers/studio'],
  sharp: ['workers/enrolment', 'workers/agent/sight'],
  'prom-client': ['src/http/metrics'],
  pino: ['src/shared/log.ts'],
  '@opentelemetry': ['src/shared/tracing'],
};

const EVERYTHING = ['test', 'deploy/examples'];

const within = (file, folder) => file === folder || file.startsWith(`${folder}/`);
const longest = (file, folders) =>
  folders.filter((folder) => within(file, folder)).sort((a, b) => b.length - a.length)[0];

function target(imported, file, root) {
  // Vite's `?raw` imports the text of a file.
  const specifier = imported.replace(/\?\w+$/, '');
  if (specifier.startsWith('#')) return specifier.replace(/^#/, 'src/');
  if (specifier.startsWith('.'))
    return path.relative(root, path.resolve(path.dirname(file), specifier)).replaceAll('\\', '/');
  return null;
}

function allowed(file, wanted) {
  const home = longest(file, Object.keys(mayImport));
  if (!home || within(wanted, home)) return true;
  return mayImport[home].some((entry) => within(wanted, entry));
}

export const folders = {
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
      const free = [...EVERYTHING, ...(homes[library] ?? [])];
      if (library && !free.some((home) => within(own, home))) {
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
