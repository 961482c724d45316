import { describe, expect, test } from 'vitest';
import { performInMemory } from '../../support/picture/session.ts';
import { settle } from '../../support/test-clock.ts';

describe('a running session', () => {
  test('changes framing and emotion when told so, and the background once it is open', async () => {
    const { performer, session, backdrops } = performInMemory();
    await session.started;
    const [blur, colour] = [{ kind: 'blur' }, { kind: 'colour', colour: '#102030' }] as const;

    session.changePicture({ framing: 'close', emotion: 'happy', background: blur });
    session.changePicture({ background: colour });
    await settle();
    // The earlier one opens last.
    backdrops.get(colour)!.resolve(colour);
    await settle();
    backdrops.get(blur)!.resolve(blur);
    await settle();

    expect(performer.framings).toEqual(['close']);
    expect(performer.emotions).toEqual(['happy']);
    expect(performer.backdrops).toEqual([colour]);
    await session.close();
  });

  test('keeps its background when another cannot be opened, or needs another track', async () => {
    const { performer, session, backdrops } = performInMemory();
    await session.started;
    const picture = { kind: 'picture', picture: 'office' } as const;

    session.changePicture({ background: { kind: 'transparent' } });
    session.changePicture({ background: picture });
    await settle();
    backdrops.get(picture)!.reject(new Error('gone'));
    await settle();

    expect([...backdrops.keys()]).toEqual([picture]);
    expect(performer.backdrops).toEqual([]);
    expect(session.framesShown).toBeGreaterThan(0);
    await session.close();
  });
});
