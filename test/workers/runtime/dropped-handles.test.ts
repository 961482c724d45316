import { FfiHandle } from '@livekit/rtc-ffi-bindings';
import { describe, expect, test } from 'vitest';
import { isOfDroppedHandle, release } from '../../../workers/runtime/dropped-handles.ts';

/** A handle that the engine never gave out is like one that it has dropped. */
const dropped = () => new FfiHandle(1n << 40n);

const fail = () => {
  throw new Error('out of memory');
};

describe('a handle that the engine has dropped', () => {
  test('throws when it is disposed', () => {
    expect(() => dropped().dispose()).toThrow(expect.toSatisfy(isOfDroppedHandle));
  });

  test('is released without an error', () => {
    expect(() => release(dropped())).not.toThrow();
  });

  test('hides no other error', () => {
    expect(() => release({ dispose: fail })).toThrow('out of memory');
  });
});
