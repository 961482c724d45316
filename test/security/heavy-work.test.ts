/*
 * Work by accounts: knowledge files that are expensive to index, to read and to extract. The event
 * loop of the control plane must turn meanwhile, and its memory must not grow with the work.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAttackedService, type AttackedService } from '../support/attacks/attacked-service.ts';
import { healthDuring, limitMs } from '../support/attacks/health-watch.ts';
import { randomWords } from '../support/attacks/random-words.ts';

const MIB = 1024 ** 2;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
});
afterAll(() => service.close());

describe('while files of random words are indexed', () => {
  test('the service answers, and its memory does not grow with the index', async () => {
    const attacker = await service.attacker();
    const word = randomWords(8 * MIB)
      .subarray(0, 7)
      .toString();
    const files = [await attacker.addFile('text', randomWords(8 * MIB))];
    const callId = await attacker.openCall(files);

    const { idle, attacked, result } = await healthDuring(service.control, () =>
      attacker.ask(callId, `What is ${word}?`),
    );

    expect(attacked.busyMs).toBeLessThan(limitMs(idle));
    expect(attacked.peakMb - idle.peakMb).toBeLessThan(100);
    expect(result.body.passages[0]?.text).toContain(word);
  });
});
