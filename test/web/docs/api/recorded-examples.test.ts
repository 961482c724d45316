/*
 * Runs the samples of the API reference, in each language. What the service answers to curl is what
 * the reference shows: `npm run api-examples` runs this file with --update, which writes it;
 * without it a stale file fails the test.
 */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { format } from 'oxfmt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headerOf } from '../../../../src/web/docs/api/api-pages.ts';
import type { ApiDocument, Operation } from '../../../../src/web/docs/api/document.ts';
import type { RecordedExample } from '../../../../src/web/docs/api/recorded-examples.ts';
import { requestSamples } from '../../../../src/web/docs/api/request-samples.ts';
import { readBlocks } from '../../../../src/web/docs/compose/blocks.ts';
import { SERVICE } from '../../../../src/web/docs/compose/service-address.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../../support/api/admin.ts';
import { API_KEY, buildApp } from '../../../support/api/build-app.ts';
import { WebhookSink } from '../../../support/api/webhook-sink.ts';
import { tellStory, type Perform, type StoryAnswer } from '../../../support/docs/api-story.ts';
import { node, python, shell, type SampleRunner } from '../../../support/docs/sample-runners.ts';
import { StableValues } from '../../../support/docs/stable-values.ts';

const RECORDED = path.resolve('src/web/docs/api/recorded-examples.json');
/** Has the package `requests`. */
const PYTHON = `${process.env['TROUPE_PYTHON_CLIENTS']}/1.8.9/bin/python`;

/** Their streams go on until the client leaves. */
const ENDLESS = new Set(['followAllSessions', 'followTheFleet']);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-samples-'));
  await cp('test/fixtures/photo/astronaut.jpg', path.join(folder, 'ada.jpg'));
  await writeFile(path.join(folder, 'hours.txt'), 'We open at nine.\n');
});
afterAll(() => rm(folder, { recursive: true }));

const byId = ({ paths }: ApiDocument) =>
  new Map(
    Object.entries(paths).flatMap(([at, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) =>
          [operation.operationId, { method: method.toUpperCase(), at, operation }] as const,
      ),
    ),
  );

/** Tells the story with the samples of one language. */
async function tell(tab: string, runner: SampleRunner) {
  const service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  const sink = await WebhookSink.open(() => service.clock.now());
  const recorded: Record<string, RecordedExample> = {};
  const stable = new StableValues();
  try {
    const { headers } = await makeAccount(service, 'free', 'operator');
    const operatorKey = headers['x-api-key'];
    const document = (
      await service.app.server.inject({ url: '/openapi.json' })
    ).json<ApiDocument>();
    const operations = byId(document);
    const perform: Perform = async (id, request = {}) => {
      const { method, at, operation } = operations.get(id)!;
      const { ids = {}, query = '', env = {}, ...content } = request;
      const filled = at.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
      const text = sampleOf(tab, document, operation, { method, path: filled + query, ...content });
      const printed = await runner.run(text.replaceAll(SERVICE, service.url), {
        TROUPE_API_KEY: API_KEY,
        OPERATOR_KEY: operatorKey,
        TROUPE_ADMIN_PASSWORD,
        ...env,
      });
      recorded[id] = JSON.parse(
        stable.in(
          JSON.stringify({
            ...(query && { query }),
            ...content,
            ...answerIn(printed),
          }).replaceAll(sink.url, 'https://example.com/troupe'),
        ),
      ) as RecordedExample;
      return (typeof recorded[id].answer === 'object' ? JSON.parse(printed) : {}) as StoryAnswer;
    };
    await tellStory(perform, { service, sink, operatorKey });
    return { recorded, operations: [...operations.keys()].filter((id) => !ENDLESS.has(id)) };
  } finally {
    await runner.close();
    await service.close();
    await sink.close();
  }
}

type Request = Omit<Parameters<typeof requestSamples>[0], 'header'>;

function sampleOf(
  tab: string,
  document: ApiDocument,
  operation: Operation,
  request: Request,
): string {
  const [tabs] = readBlocks(
    `${requestSamples({ ...request, header: headerOf(document, operation) })}\n`,
  );
  if (tabs?.type !== 'tabs') throw new Error('no tabs');
  return tabs.samples.find((sample) => sample.tab === tab)!.text;
}

function answerIn(printed: string): { answer?: unknown } {
  // Archives are not shown.
  if (printed.trim() === '' || printed.includes('\uFFFD')) return {};
  try {
    return { answer: JSON.parse(printed) as unknown };
  } catch {
    return { answer: beginning(printed.trim()) };
  }
}

/** Exports are long. */
function beginning(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => (line.length > 500 ? `${line.slice(0, 500)}...` : line));
  return lines.length > 4 ? [...lines.slice(0, 3), '...'].join('\n') : lines.join('\n');
}

// A busy machine takes many times as long as an idle one.
describe('the samples of the API reference', () => {
  test('succeed with curl, and are answered as recorded', async () => {
    const { recorded, operations } = await tell('curl', shell(folder));

    expect(Object.keys(recorded).toSorted()).toEqual(operations.toSorted());
    const { code } = await format(RECORDED, JSON.stringify(recorded), { printWidth: 100 });
    await expect(code).toMatchFileSnapshot(RECORDED);
  });

  test('succeed in Node', async () => {
    const { recorded, operations } = await tell('Node', node(folder));

    expect(Object.keys(recorded)).toHaveLength(operations.length);
  });

  // .ci/run makes the environment and fails without it; elsewhere Python is optional.
  test.skipIf(!existsSync(PYTHON))('succeed in Python', async () => {
    const { recorded, operations } = await tell('Python', python(PYTHON, folder));

    expect(Object.keys(recorded)).toHaveLength(operations.length);
  });
});
