import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import {
  FIRST_TRY,
  PDF_LIMITS,
  PDFS_PER_ACCOUNT,
  PdfReader,
} from '../../src/knowledge/pdf-reader.ts';
import { childAs, decoderUser } from '../support/processes/child-processes.ts';
import { deflated, hostilePdfs, pdfOfPages, pdfSaying } from '../support/api/pdf.ts';
import { TestClock } from '../support/test-clock.ts';

let reader: PdfReader;
beforeEach(() => {
  // Time stands still: a busy machine would take longer than the limit.
  reader = new PdfReader(new TestClock());
});
afterEach(() => reader.close());

const inParts = (pdf: Buffer, length = 1_000_000) =>
  async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < pdf.length; at += length) yield pdf.subarray(at, at + length);
  };

/** The detail of the refusal. */
const refusal = (pdf: Buffer, by = reader): Promise<unknown> =>
  by.read('account', inParts(pdf)).then(
    (text) => `read: ${text}`,
    (error: unknown) => error,
  );

async function* hanging(): AsyncGenerator<Buffer> {
  yield await new Promise<never>(() => {});
}

async function* broken(): AsyncGenerator<Buffer> {
  yield pdfSaying('half').subarray(0, 100);
  throw new Error('the disk is gone');
}

describe('the PDF reader', () => {
  test('returns the text page by page', async () => {
    const pdf = pdfSaying('Eggs are two dollars.', 'Milk is one.');

    const text = await reader.read('account', inParts(pdf, 100));

    expect(text).toBe('Eggs are two dollars.\n\nMilk is one.');
  });

  test('reads compressed text', async () => {
    const content = Buffer.from('BT /F 12 Tf 72 720 Td (small) Tj ET');

    expect(await reader.read('account', inParts(pdfOfPages([deflated(content)])))).toBe('small');
  });

  test('refuses a PDF without text and says what to do', async () => {
    const refused = await refusal(pdfOfPages([deflated(Buffer.from('0 0 9 9 re f'))]));

    expect(refused).toMatchObject({ fault: 'invalid_parameter', status: 400 });
    expect(String(refused)).toMatch(/has no text.*\(OCR\).*upload the result/);
  });

  test('drops NUL characters', async () => {
    const text = await reader.read('account', inParts(pdfSaying('a\\000b')));

    expect(text).not.toContain('\0');
  });

  test.each(hostilePdfs)('refuses $what', async ({ make, says }) => {
    const isSlow = says.source.includes('seconds');
    const strict = isSlow ? new PdfReader(systemClock, { ...PDF_LIMITS, withinMs: 3_000 }) : reader;

    const refused = await refusal(make(), strict);
    await strict.close();

    expect(refused).toMatchObject({ fault: 'invalid_parameter', status: 400 });
    expect(String(refused)).toMatch(says);
  });

  test.each([
    { limit: { pages: 1 }, says: /more than 1 pages/ },
    { limit: { characters: 5 }, says: /more than 5 characters/ },
    { limit: { memoryMiB: 32 }, says: /more than 32 MiB/ },
  ])('keeps to its limits: $limit', async ({ limit, says }) => {
    const strict = new PdfReader(new TestClock(), { ...PDF_LIMITS, ...limit });

    const refused = await refusal(pdfSaying('one', 'two and more'), strict);

    expect(String(refused)).toMatch(says);
    await strict.close();
  });

  test('respects its time limit', async () => {
    const clock = new TestClock();
    const patient = new PdfReader(clock);

    const refused = refusal(pdfSaying('one'), patient);
    await expect.poll(() => clock.dueIn(FIRST_TRY.withinMs)).toBe(1);
    clock.advance(FIRST_TRY.withinMs);
    await expect.poll(() => clock.dueIn(PDF_LIMITS.withinMs)).toBe(1);
    clock.advance(PDF_LIMITS.withinMs);

    expect(String(await refused)).toMatch(/more than 20 seconds/);
    expect(clock.waiting).toBe(0);
  });

  test('reads one PDF at a time', async () => {
    const texts = ['first', 'second', 'third'];

    const read = await Promise.all(
      texts.map((text) => reader.read(`account of ${text}`, inParts(pdfSaying(text)))),
    );

    expect(read).toEqual(texts);
  });

  test('serves an account within seconds while others have slow PDFs', async () => {
    const clock = new TestClock();
    const shared = new PdfReader(clock);
    const slow = hostilePdfs.find(({ what }) => what.startsWith('a form in a form'))!.make();
    const hostile = ['a', 'b'].flatMap((account) =>
      Array.from({ length: PDFS_PER_ACCOUNT }, () => shared.read(account, inParts(slow))),
    );
    const refused = Promise.allSettled(hostile);

    const small = shared.read('c', inParts(pdfSaying('Eggs are two dollars.')));
    // Those before it get one first try each.
    for (let tries = 0; tries < 2; tries += 1) {
      await expect.poll(() => clock.dueIn(FIRST_TRY.withinMs)).toBe(1);
      clock.advance(FIRST_TRY.withinMs);
    }

    expect(await small).toBe('Eggs are two dollars.');
    await shared.close();
    await refused;
  });

  test('reads a slow PDF behind slow ones of three other accounts', async () => {
    const clock = new TestClock();
    const shared = new PdfReader(clock);
    const readings = ['a', 'b', 'c', 'd'].map((account) =>
      shared.read(account, hanging).catch((error: unknown) => String(error)),
    );
    for (const _ of readings) {
      await expect.poll(() => clock.dueIn(FIRST_TRY.withinMs)).toBe(1);
      clock.advance(FIRST_TRY.withinMs);
    }
    await expect.poll(() => clock.waiting).toBe(readings.length);

    // The first one is read since its first try.
    clock.advance(PDF_LIMITS.withinMs - (readings.length - 1) * FIRST_TRY.withinMs);
    for (const _ of readings.slice(1)) {
      await expect.poll(() => clock.dueIn(PDF_LIMITS.withinMs)).toBe(1);
      clock.advance(PDF_LIMITS.withinMs);
    }

    for (const refused of await Promise.all(readings))
      expect(refused).toMatch(/more than 20 seconds/);
    expect(clock.waiting).toBe(0);
  });

  test('reads few PDFs of one account at a time', async () => {
    const half = Promise.withResolvers<void>();
    async function* waiting() {
      await half.promise;
      yield pdfSaying('text');
    }
    const readings = Array.from({ length: PDFS_PER_ACCOUNT }, () => reader.read('a', waiting));

    const refused = { fault: 'rate_limit', retryAfterSeconds: 40 };
    await expect(reader.read('a', waiting)).rejects.toMatchObject(refused);
    half.resolve();
    expect(await Promise.all(readings)).toEqual(readings.map(() => 'text'));
  });

  test('reads as another user where it runs as root, with an empty environment', async () => {
    const pdf = pdfSaying('Eggs are two dollars.');
    const half = Promise.withResolvers<void>();
    async function* held(): AsyncGenerator<Buffer> {
      yield pdf.subarray(0, 100);
      await half.promise;
      yield pdf.subarray(100);
    }

    const reading = reader.read('account', held);
    const decoder = await childAs(decoderUser, 'pdf-process.ts');
    half.resolve();

    expect(decoder.environment).toEqual(['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']);
    expect(await reading).toBe('Eggs are two dollars.');
  });

  test('passes on an error of its input', async () => {
    await expect(reader.read('account', broken)).rejects.toThrow('the disk is gone');
  });

  test('aborts its read and refuses others when closed', async () => {
    const closing = new PdfReader(new TestClock());
    const begun = Promise.withResolvers<void>();
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        yield Buffer.alloc(100_000);
        begun.resolve();
      }
    }
    const reading = closing.read('account', endless);
    const waiting = refusal(pdfSaying('next'), closing);
    const stopping = { fault: 'at_capacity', message: expect.stringContaining('stopping') };
    const ended = expect(reading).rejects.toMatchObject(stopping);
    await begun.promise;

    await closing.close();

    await ended;
    expect(await waiting).toMatchObject(stopping);
    expect(await refusal(pdfSaying('late'), closing)).toMatchObject(stopping);
  });
});
