import { RpcError } from '@livekit/rtc-node';
import { expect, test } from 'vitest';
import { endedWithRoom, faultLevel } from '../../../workers/runtime/disconnects.ts';

const aborted = new DOMException('This operation was aborted', 'AbortError');
const closed = [
  new Error('engine: connection error: closed'),
  new Error('unable to send packet'),
  new Error('failed to handle request: invalid request: handle not found (FfiRequest { .. })'),
  new Error('engine: internal error: failed to send data packet: Send'),
  new RpcError(RpcError.ErrorCode.SEND_FAILED, 'Failed to send'),
];

test('failures of a connection that ends are information', () => {
  for (const error of [aborted, ...closed]) expect(faultLevel(error)).toBe('info');
});

test.each([new Error('the method is unknown'), new RpcError(1400, 'Unsupported'), 'a text'])(
  'other failures are warnings: %s',
  (error) => {
    expect(faultLevel(error)).toBe('warn');
  },
);

test('only an aborted call is not tried again', () => {
  expect(endedWithRoom(aborted)).toBe(true);
  for (const error of closed) expect(endedWithRoom(error)).toBe(false);
});
