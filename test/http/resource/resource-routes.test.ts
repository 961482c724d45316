import { fastify } from 'fastify';
import Type from 'typebox';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  deleteRoute,
  listRoute,
  retrieveRoute,
  updateRoute,
} from '../../../src/http/resource/resource-routes.ts';
import { pageOf } from '../../../src/http/resource/schema-parts.ts';

const Cup = Type.Object({ name: Type.String() });
const toBody = ([, name]: [id: string, name: string]) => ({ name });

let cups: Map<string, string>;
let app: ReturnType<typeof fastify>;
beforeEach(async () => {
  cups = new Map([
    ['1', 'red'],
    ['2', 'blue'],
  ]);
  app = fastify();
  listRoute(app, '/cups', {
    schema: { response: { 200: pageOf(Cup, 'CupPage') } },
    read: async (_request, { limit, cursor = '0' }) => {
      const end = Number(cursor) + limit;
      const nextCursor = end < cups.size ? String(end) : null;
      return { data: [...cups].slice(Number(cursor), end), nextCursor };
    },
    toBody,
  });
  retrieveRoute(app, '/cups/:id', {
    schema: { response: { 200: Cup } },
    find: async ({ params: { id } }) => {
      const name = cups.get(id);
      return name === undefined ? null : ([id, name] as [string, string]);
    },
    toBody,
  });
  updateRoute(app, '/cups/:id', {
    schema: { body: Cup },
    update: async ({ params, body }) => {
      if (!cups.has(params.id)) return false;
      cups.set(params.id, body.name);
      return true;
    },
  });
  await deleteRoute(app, '/cups/:id', {
    schema: {},
    remove: async ({ params }) => cups.delete(params.id),
  });
});

describe('resource routes', () => {
  test('list page by page', async () => {
    const firstReply = await app.inject({ url: '/cups?limit=1' });
    const lastReply = await app.inject({ url: '/cups?limit=1&cursor=1' });

    expect(firstReply.json()).toEqual({
      data: [{ name: 'red' }],
      has_more: true,
      next_cursor: '1',
    });
    expect(lastReply.json()).toEqual({ data: [{ name: 'blue' }], has_more: false });
  });

  test('retrieve one', async () => {
    const reply = await app.inject({ url: '/cups/2' });

    expect(reply.json()).toEqual({ name: 'blue' });
  });

  test('update with an empty 204', async () => {
    const reply = await app.inject({ method: 'PATCH', url: '/cups/1', payload: { name: 'green' } });

    expect([reply.statusCode, reply.body]).toEqual([204, '']);
    expect(cups.get('1')).toBe('green');
  });

  test('delete with an empty 204 and ignore the body', async () => {
    const headers = { 'content-type': 'application/json' };
    const reply = await app.inject({ method: 'DELETE', url: '/cups/1', headers, payload: '{' });

    expect([reply.statusCode, reply.body]).toEqual([204, '']);
    expect(cups.has('1')).toBe(false);
  });

  test.each(['GET', 'PATCH', 'DELETE'] as const)(
    'answer 404 for an unknown id: %s',
    async (method) => {
      const payload = method === 'PATCH' ? { payload: { name: 'green' } } : {};
      const reply = await app.inject({ method, url: '/cups/3', ...payload });

      expect(reply.json()).toMatchObject({ message: 'The requested resource was not found.' });
    },
  );
});
