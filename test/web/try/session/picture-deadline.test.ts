import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PictureDeadline } from '../../../../src/web/try/session/picture-deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function given({ isSeen = false, hasEnded = async () => false } = {}) {
  const onLate = vi.fn<() => void>();
  const asked = vi.fn<() => Promise<boolean>>(hasEnded);
  const deadline = new PictureDeadline({ isSeen: () => isSeen, hasEnded: asked, onLate });
  return { deadline, onLate, asked };
}

describe('the deadline for a picture', () => {
  test('is late once when no picture arrives', async () => {
    const { deadline, onLate } = given();

    deadline.expect(5000);
    await vi.advanceTimersByTimeAsync(4900);
    expect(onLate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_000);

    expect(onLate).toHaveBeenCalledOnce();
  });

  test('does not begin when the picture is already seen', async () => {
    const { deadline, onLate, asked } = given({ isSeen: true });

    deadline.expect(5000);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(asked).not.toHaveBeenCalled();
    expect(onLate).not.toHaveBeenCalled();
  });

  test('is cancelled by a picture, also while the service is asked', async () => {
    const answer = Promise.withResolvers<boolean>();
    const { deadline, onLate, asked } = given({ hasEnded: () => answer.promise });

    deadline.expect(5000);
    await vi.advanceTimersByTimeAsync(1000);
    deadline.cancel();
    answer.resolve(false);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(asked).toHaveBeenCalledOnce();
    expect(onLate).not.toHaveBeenCalled();
  });

  test('stops when the session has ended', async () => {
    const { deadline, onLate, asked } = given({ hasEnded: async () => true });

    deadline.expect(5000);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(asked).toHaveBeenCalledOnce();
    expect(onLate).not.toHaveBeenCalled();
  });

  test('goes on while the service does not respond', async () => {
    const { deadline, onLate, asked } = given({
      hasEnded: async () => {
        throw new Error('unreachable');
      },
    });

    deadline.expect(5000);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(asked.mock.calls.length).toBeGreaterThan(2);
    expect(onLate).toHaveBeenCalledOnce();
  });
});
