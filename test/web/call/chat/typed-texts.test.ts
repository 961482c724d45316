import { describe, expect, test, vi } from 'vitest';
import type { Line } from '../../../../src/web/call/state/call-state.ts';
import { TypedTexts } from '../../../../src/web/call/chat/typed-texts.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function typing(send: (text: string) => Promise<unknown> = async () => {}) {
  const arrivals: string[] = [];
  const lines: Line[] = [];
  const texts = new TypedTexts((line) => lines.push(line));
  const agent = async (text: string) => {
    await send(text);
    arrivals.push(text);
  };
  return { texts, arrivals, agent, lines };
}

describe('typed texts', () => {
  test('are sent at once to an agent that reads them', async () => {
    const { texts, arrivals, agent, lines } = typing();
    texts.readBy(agent);

    texts.add('Hello?');
    await settled();

    expect(arrivals).toEqual(['Hello?']);
    expect(lines.map(({ isWaiting }) => isWaiting)).toEqual([false, false]);
  });

  test('are shown as waiting until they are sent', async () => {
    const { texts, agent, lines } = typing();
    texts.add('Hello?');
    const line = { id: 'typed 1', sender: 'user', text: 'Hello?' };
    expect(lines).toEqual([{ ...line, isFinal: false, isWaiting: true }]);

    texts.readBy(agent);
    await settled();

    expect(lines.at(-1)).toEqual({ ...line, isFinal: true, isWaiting: false });
  });

  test('wait for an agent that is away, and arrive in order and once', async () => {
    const { texts, arrivals, agent } = typing();
    texts.add('One');
    texts.add('Two');
    await settled();
    expect(arrivals).toEqual([]);

    texts.readBy(agent);
    texts.readBy(agent);
    texts.add('Three');
    await settled();

    expect(arrivals).toEqual(['One', 'Two', 'Three']);
  });

  test('stop where the agent is lost again', async () => {
    const delivery = Promise.withResolvers<void>();
    const { texts, arrivals, agent } = typing(() => delivery.promise);
    texts.readBy(agent);
    texts.add('One');
    texts.add('Two');

    texts.readBy(null);
    delivery.resolve();
    await settled();

    expect(arrivals).toEqual(['One']);
    texts.readBy(agent);
    await settled();
    expect(arrivals).toEqual(['One', 'Two']);
  });

  test('is not lost with the line', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    let isBroken = true;
    const { texts, arrivals, agent } = typing(async () => {
      if (isBroken) throw new Error('no line');
    });
    texts.readBy(agent);
    texts.add('One');
    await settled();
    expect(arrivals).toEqual([]);

    isBroken = false;
    texts.readBy(agent);
    await settled();

    expect(arrivals).toEqual(['One']);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});
