import { expect, test } from 'vitest';
import { UserVoice } from '../../../../../workers/avatar/transport/botroom/user-voice.ts';
import { pcm, tone } from '../../../../support/sound/pcm.ts';
import { TestClock } from '../../../../support/test-clock.ts';

test('a user speaks from the first audible sound until a second of silence', () => {
  const clock = new TestClock();
  const changes: [boolean, number][] = [];
  const user = new UserVoice(clock, (isSpeaking) => changes.push([isSpeaking, clock.elapsed()]));
  const [loud, quiet] = [pcm(tone(16_000, 20)), pcm(tone(16_000, 20, 400, 100))];

  for (const sound of [quiet, loud, loud, quiet, quiet]) {
    user.hear(sound);
    clock.advance(20);
  }
  clock.advance(2_000);
  user.hear(loud);
  user.close();

  expect(changes).toEqual([
    [true, 20],
    [false, 1_040],
    [true, 2_100],
  ]);
  expect(clock.waiting).toBe(0);
});
