import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANSWER, GREETING, SpokenCallStage } from '../../stage/spoken-call.ts';
import { speechParts } from '../../support/sound/speech-parts.ts';

/** Maximum errors in fifteen words: one more than the recogniser misses of a clean voice. */
const ONE_WORD = 1 / 15;

let stage: SpokenCallStage;

// .ci/run installs the parts and fails without them.
describe.skipIf(!speechParts)('a call that is spoken and heard on this machine', () => {
  beforeAll(async () => {
    stage = await SpokenCallStage.open(speechParts!);
  });
  afterAll(() => stage?.stop());

  // How well words are understood at both ends of a live room is measured by the bench
  // `spoken-call`: a late word is a lost one.
  test('hears a spoken question, and answers with a voice that can be understood', async () => {
    const { messages, cleanErrors, heardSeconds, agentLog } = await stage.converse();

    const [greeting, question] = messages as [(typeof messages)[0], (typeof messages)[0]];
    expect(greeting.message).toBe(GREETING);
    expect(question.sender).toBe('user');
    expect(question.message.split(' ').length).toBeGreaterThan(1);
    expect(messages.map(({ message }) => message)).toContain(ANSWER);
    expect(cleanErrors).toBeLessThanOrEqual(ONE_WORD);
    expect(heardSeconds).toBeGreaterThan(0);
    expect(agentLog).not.toContain('voice failed');
  });
});
