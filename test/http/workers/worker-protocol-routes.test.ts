import asyncApi from '@asyncapi/specs/schemas/3.0.0.json' with { type: 'json' };
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayMessage } from '#protocol/worker/gateway-messages.ts';
import { WorkerMessage } from '#protocol/worker/worker-messages.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

type Message = { name: string; summary: string; payload: object };
type Document = {
  operations: Record<'send' | 'receive', { messages: { $ref: string }[] }>;
  components: { messages: Record<string, Message> };
};

let service: BuiltApp;
let document: Document;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
  document = (await service.app.server.inject({ url: '/worker-protocol.json' })).json();
});
afterAll(() => service.close());

/** The schemas of an operation's messages, in order. */
function payloads(operation: 'send' | 'receive'): object[] {
  const names = document.operations[operation].messages.map(({ $ref }) => $ref.split('/').at(-1)!);
  return names.map((name) => document.components.messages[name]!.payload);
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the worker protocol document', () => {
  test('is AsyncAPI 3.0 by the official schema', () => {
    // The schema contains that of JSON Schema itself.
    const ajv = new Ajv({ meta: false, validateSchema: false, strict: false });
    addFormats.default(ajv);
    const check = ajv.compile(asyncApi);

    expect(check(document) ? [] : check.errors).toEqual([]);
    expect(check({ ...document, operations: { send: { action: 'sing' } } })).toBe(false);
  });

  test('has the schema of every message that either side may send', () => {
    expect(payloads('send')).toEqual(asJson(WorkerMessage.anyOf));
    expect(payloads('receive')).toEqual(asJson(GatewayMessage.anyOf));
  });

  test('explains every message', () => {
    const messages = Object.values(document.components.messages);

    expect(messages.length).toBe(WorkerMessage.anyOf.length + GatewayMessage.anyOf.length);
    expect(messages.filter(({ summary }) => !summary)).toEqual([]);
  });

  test('has schemas that a validator of another make understands', () => {
    const ajv = new Ajv({ strict: true });
    const check = ajv.compile(document.components.messages['started']!.payload);

    const placement = { sessionId: 'session-1', epoch: 1 };
    expect(check({ type: 'started', id: 'report-1', placement, agoMs: 3 })).toBe(true);
    expect(check({ type: 'started', id: 'report-1', placement, agoMs: -3 })).toBe(false);
    expect(check({ type: 'started', id: 'report-1', agoMs: 3 })).toBe(false);
  });
});
