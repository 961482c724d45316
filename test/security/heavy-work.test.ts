/*
 * Work by accounts: knowledge files that are expensive to index, to read and to extract. The event
 * loop of the control plane must turn meanwhile, and its memory must stay below the chart's limit.
 * `npm run bench -- attacks` measures by how much it grows.
 */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WHOLE_BYTES } from '../../src/records/knowledge/knowledge-texts.ts';
import { MAX_CHUNK_BYTES, SUBMITS_PER_ACCOUNT } from '../../src/knowledge/upload.ts';
import { hostilePdfs, pdfSaying } from '../support/api/pdf.ts';
import {
  startAttackedService,
  type AttackedService,
  type Attacker,
} from '../support/attacks/attacked-service.ts';
import {
  healthDuring,
  limitMs,
  MEMORY_LIMIT_MB,
  type HealthFigures,
} from '../support/attacks/health-watch.ts';
import { randomWords } from '../support/attacks/random-words.ts';

const MIB = 1024 ** 2;

const longText = randomWords(12 * MIB);

let service: AttackedService;
let attacker: Attacker;
beforeAll(async () => {
  service = await startAttackedService();
  attacker = await service.attacker();
});
afterAll(() => service.close());

/** As long as a line may be. */
const LONG_LINE = 'lamp '.repeat(4_000);
const TRANSCRIPT_LINES = 150;

type Figures = Record<'idle' | 'attacked', HealthFigures>;

function expectUndisturbed({ idle, attacked }: Figures): void {
  expect(attacked.busyMs, 'longest work at a time').toBeLessThan(limitMs(idle));
  expect(attacked.withChildrenMb, 'memory with child processes').toBeLessThan(MEMORY_LIMIT_MB);
}

const firstWord = (text: Buffer): string => text.toString('utf8', 0, text.indexOf(' '));

describe('the control plane goes on', () => {
  test('while long texts are submitted', async () => {
    const figures = await healthDuring(service.control, () =>
      Promise.all([attacker.addFile('text', longText), attacker.addFile('text', longText)]),
    );

    expectUndisturbed(figures);
  });

  test('while the longest texts that are also stored whole are submitted', async () => {
    const text = longText.subarray(0, WHOLE_BYTES);

    const figures = await healthDuring(service.control, () =>
      Promise.all(Array.from({ length: 4 }, () => attacker.addFile('text', text))),
    );

    expectUndisturbed(figures);
  });

  test('while many texts are submitted at once', async () => {
    const files: string[] = [];
    for (let count = 0; count < SUBMITS_PER_ACCOUNT; count += 1)
      files.push(await attacker.upload('text', longText.subarray(0, MAX_CHUNK_BYTES)));

    // Each answer holds the text: an account gets few at a time.
    const { result, ...figures } = await healthDuring(service.control, () =>
      Promise.allSettled(files.map((id) => attacker.submit(id))),
    );

    expect(result.map(({ status }) => status)).toContain('fulfilled');
    expectUndisturbed(figures);
    for (const id of files) await attacker.submit(id);
  });

  test('while two calls each index random words of 15 MiB', async () => {
    const texts = [1, 2].map((seed) => randomWords(15 * MIB, seed));
    const files: string[] = [];
    for (const text of texts) files.push(await attacker.addFile('text', text));
    // Routes compile their schemas at the first request, which is not the work that is judged.
    await attacker.openCall([]);

    const { result, ...figures } = await healthDuring(service.control, () =>
      Promise.all(
        files.map(async (file, index) =>
          attacker.ask(await attacker.openCall([file]), `What is ${firstWord(texts[index]!)}?`),
        ),
      ),
    );

    // 503: a slow machine indexes for longer than a question waits.
    for (const { status } of result) expect([200, 503]).toContain(status);
    const answers = result.flatMap(({ status, body }, index) =>
      status === 200 ? [{ word: firstWord(texts[index]!), text: body.passages[0]?.text }] : [],
    );
    for (const { word, text } of answers) expect(text).toContain(word);
    expectUndisturbed(figures);
  });

  test('while many read a long text', async () => {
    const id = await attacker.addFile('text', longText);

    const { result, ...figures } = await healthDuring(service.control, () =>
      Promise.all(Array.from({ length: 20 }, () => attacker.read(id))),
    );

    const texts = result.filter((text) => text !== null);
    expect(texts).not.toHaveLength(20);
    expect(texts.every((text) => text === longText.toString())).toBe(true);
    expectUndisturbed(figures);
  });

  test('while many read a long transcript', async () => {
    const callId = await attacker.openCall([]);
    for (let number = 0; number < TRANSCRIPT_LINES; number += 1)
      await attacker.say(callId, `line-${number}`, LONG_LINE);
    const path = `${service.control.url}/v1/calls/${callId}/messages`;

    const { result, ...figures } = await healthDuring(service.control, () =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          const reply = await fetch(path, { headers: attacker.headers });
          return { status: reply.status, text: await reply.text() };
        }),
      ),
    );

    const transcripts = result.filter(({ status }) => status === 200);
    const refusals = result.filter(({ status }) => status === 429);
    expect(transcripts.length + refusals.length).toBe(20);
    expect(refusals).not.toEqual([]);
    for (const { text } of transcripts) expect(JSON.parse(text)).toHaveLength(TRANSCRIPT_LINES);
    expectUndisturbed(figures);
  });

  test('while clients do not read their answers', async () => {
    const holders = await Promise.all(Array.from({ length: 4 }, () => service.attacker()));
    const answers: IncomingMessage[] = [];
    const hold = async (holder: Attacker) => {
      const id = await holder.addFile('text', longText);
      const path = `${service.control.url}/v1/knowledge-files/${id}`;
      for (let count = 0; count < 4; count += 1) {
        const send = request(path, { headers: holder.headers, agent: false });
        send.end();
        const [answer] = (await once(send, 'response')) as [IncomingMessage];
        answers.push(answer);
      }
    };

    const figures = await healthDuring(service.control, async () => {
      for (const holder of holders) await hold(holder);
    });
    for (const answer of answers) answer.destroy();

    expect(answers).toHaveLength(16);
    expectUndisturbed(figures);
  });

  test('while an account is exported', async () => {
    const exporter = await service.attacker();
    await exporter.addFile('text', longText);

    const { result, ...figures } = await healthDuring(service.control, async () => {
      const reply = await fetch(`${service.control.url}/v1/export`, {
        method: 'POST',
        headers: exporter.headers,
      });
      return (await reply.bytes()).length;
    });

    expect(result).toBeGreaterThan(longText.length / 2);
    expectUndisturbed(figures);
  });
});

test('a small PDF is read while two other accounts have slow ones', async () => {
  const slow = hostilePdfs.find(({ what }) => what.startsWith('a form in a form'))!.make();
  const attackers = await Promise.all([service.attacker(), service.attacker()]);
  const slowReads = await Promise.all(attackers.map((attacker) => attacker.fillReaders(slow)));

  const id = await attacker.addFile('pdf', pdfSaying('Eggs are two dollars.'));

  expect(await attacker.read(id)).toBe('Eggs are two dollars.');
  await service.control.stop();
  await Promise.all(slowReads.map(({ reads }) => reads));
});
