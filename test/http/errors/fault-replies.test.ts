import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { replyToUnreadable } from '../../../src/http/errors/fault-replies.ts';

describe('malformed HTTP', () => {
  test.each([
    { code: 'HPE_INVALID_METHOD', status: '400 Bad Request' },
    { code: 'HPE_HEADER_OVERFLOW', status: '431 Request Header Fields Too Large' },
    { code: 'ERR_HTTP_REQUEST_TIMEOUT', status: '408 Request Timeout' },
  ])('gets an error body: $code', async ({ code, status }) => {
    const socket = new PassThrough();

    replyToUnreadable(Object.assign(new Error(), { code }) as never, socket as unknown as Socket);

    const [head, body] = (await text(socket)).split('\r\n\r\n');
    expect(head!.split('\r\n')).toEqual([
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${body!.length}`,
      'connection: close',
    ]);
    expect(JSON.parse(body!)).toMatchObject({
      detail: 'The request could not be read.',
      code: 'unreadable_request',
    });
  });
});
