import { describe, expect, test, vi } from 'vitest';
import { TypedTexts } from '../../../../src/web/call/chat/typed-texts.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function typing(send: (text: string) => Promise<unknown> = async () => {}) {
  const arrivals: string[] = [];
  const texts = new TypedTexts(async (text) => {
    await send(text);
    arrivals.push(text);
  });
  return { texts, arrivals };
}

describe('typed texts', () => {
  test('are sent at once to an agent that reads them', async () => {
    const { texts, arrivals } = typing();
    texts.read(true);

    texts.add('Hello?');
    await settled();

    expect(arrivals).toEqual(['Hello?']);
  });

  test('wait for an agent that is away, and arrive in order and once', async () => {
    const { texts, arrivals } = typing();
    texts.read(false);
    texts.add('One');
    texts.add('Two');
    await settled();
    expect(arrivals).toEqual([]);

    texts.read(true);
    texts.read(true);
    texts.add('Three');
    await settled();

    expect(arrivals).toEqual(['One', 'Two', 'Three']);
  });

  test('stop where the agent is lost again', async () => {
    const delivery = Promise.withResolvers<void>();
    const { texts, arrivals } = typing(() => delivery.promise);
    texts.read(true);
    texts.add('One');
    texts.add('Two');

    texts.read(false);
    delivery.resolve();
    await settled();

    expect(arrivals).toEqual(['One']);
    texts.read(true);
    await settled();
    expect(arrivals).toEqual(['One', 'Two']);
  });

  test('is not lost with the line', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    let isBroken = true;
    const { texts, arrivals } = typing(async () => {
      if (isBroken) throw new Error('no line');
    });
    texts.read(true);
    texts.add('One');
    await settled();
    expect(arrivals).toEqual([]);

    isBroken = false;
    texts.read(true);
    await settled();

    expect(arrivals).toEqual(['One']);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});
