import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { folders, homes, mayImport } from './folders.mjs';

/** The findings for one import. */
function findings(file: string, specifier: string): string[] {
  const messages: string[] = [];
  const { ImportDeclaration: check } = folders.create({
    cwd: '/repository',
    filename: `/repository/${file}`,
    report: ({ message }) => messages.push(message),
  });
  check({ source: { value: specifier } });
  return messages;
}

describe('the folder rule', () => {
  test.each([
    ['src/fleet/redis/redis-fleet.ts', '../../cluster/cluster-bus.ts'],
    ['src/fleet/redis/redis-fleet.ts', '../placement.ts'],
    ['src/fleet/fleet.ts', '#protocol/end-reasons.ts'],
    ['src/gateway/gateway.ts', '../avatars/builds.ts'],
    ['src/web/docs/facts/fleet.ts', '../../../fleet/fleet.ts'],
    ['src/web/docs/facts/vendors.ts', '../../plugin/snippets.ts'],
    ['workers/avatar/speech/segment.ts', '#protocol/audio.ts'],
    ['src/rooms/room-token.ts', 'livekit-server-sdk'],
    ['test/app.test.ts', 'ioredis'],
  ])('lets %s import %s', (file, specifier) => {
    expect(findings(file, specifier)).toEqual([]);
  });

  test.each([
    ['src/cluster/cluster-bus.ts', '../fleet/fleet.ts'],
    ['src/cluster/cluster-bus.ts', '#protocol/end-reasons.ts'],
    ['src/rooms/configured-rooms.ts', '../config.ts'],
    ['src/calls/calls.ts', '../avatars/avatars.ts'],
    ['src/config.ts', './rooms/rooms.ts'],
    ['src/web/docs/facts/accounts.ts', '../../../accounts/keys.ts'],
    ['src/web/room/main.ts', '../../errors.ts'],
    ['workers/avatar/speech/segment.ts', '#protocol/end-reasons.ts'],
    ['workers/agent/worker.ts', '../avatar/worker.ts'],
    ['src/sessions/open-sessions.ts', 'ioredis'],
  ])('does not let %s import %s', (file, specifier) => {
    expect(findings(file, specifier)).toHaveLength(1);
  });

  test('names only files and folders that exist', () => {
    const named = [mayImport, homes].flatMap((table) => Object.values(table).flat());

    expect([...Object.keys(mayImport), ...named].filter((entry) => !existsSync(entry))).toEqual([]);
  });
});
