import { describe, expect, test } from 'vitest';
import { nearestPath } from '../../../src/http/errors/nearest-path.ts';

const knownPaths = [
  '/v1/sessions',
  '/v1/sessions/:id',
  '/v1/sessions/:id/end',
  '/v1/sessions/:id/events',
  '/v1/agents',
  '/v1/knowledge-files/:id/upload',
];
const id = '00000000-0000-4000-8000-0000000000ff';

describe('the nearest path', () => {
  test.each([
    ['/v1/sesions', '/v1/sessions'],
    ['/sessions', '/v1/sessions'],
    ['/v2/sessions', '/v1/sessions'],
    [`/v1/sessions/${id}/event`, '/v1/sessions/:id/events'],
    [`/v1/Session/${id}/stop`, '/v1/sessions/:id/end'],
    ['/v1/agent', '/v1/agents'],
    ['/v1/knowledge_files/7/uploads', '/v1/knowledge-files/:id/upload'],
    ['/wp-login.php', null],
    ['/', null],
    [`/v1/sessions/${'x'.repeat(500)}`, null],
  ])('of %s is %s', (path, nearest) => {
    expect(nearestPath(path, knownPaths)).toBe(nearest);
  });
});
