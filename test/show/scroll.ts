/*
 * Measures how smoothly the console scrolls 10,000 sessions, and prints the figures. Build the
 * pages first: `npm run build:pages`. Then: npx vitest run --config test/show/scroll.config.ts
 */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../support/api/build-app.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { signInToConsole } from '../support/pages/console.ts';

const SESSIONS = 10_000;
/** Three rows a frame: faster than anyone reads. */
const STEP_PX = 180;
const FRAMES = 600;

test('10,000 sessions scroll', async () => {
  const service = await buildApp();
  const browser = await openBrowser();
  try {
    await addSessions(service);
    const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
    await signInToConsole(context, service);
    const page = await context.newPage();
    await page.goto(`${service.url}/console/sessions`);
    const loadedMs = await loadAll(page);

    const cpu = await context.newCDPSession(page);
    await cpu.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busySeconds = async () => {
      const { metrics } = await cpu.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    };
    const secondsBefore = await busySeconds();
    const frames = await scroll(page);
    const secondsAfter = await busySeconds();

    const sorted = frames.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)]!.toFixed(1);
    const rows = await page.locator('.session-rows > [role=row]').count();
    console.log(`
${SESSIONS} sessions, all loaded after ${(loadedMs / 1000).toFixed(1)} s; ${rows} rows in the page
processor time of the page for each frame: ${(((secondsAfter - secondsBefore) * 1000) / FRAMES).toFixed(2)} ms (a frame of 60 a second has 16.7 ms)
time between frames: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms, longest ${at(0.9999)} ms
`);
    expect(rows).toBeLessThan(100);
  } finally {
    await browser.close();
    await service.close();
  }
});

/** Copies of one session that has ended, a minute apart. */
async function addSessions(service: BuiltApp): Promise<void> {
  const reply = await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
  const { id } = reply.json();
  await service.call('POST', `/v1/sessions/${id}/end`);
  const database = service.place.open();
  const row = await database
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const copies = Array.from({ length: SESSIONS - 1 }, (_, index) => {
    const earlierMs = (index + 1) * 60_000;
    return {
      ...row,
      id: randomUUID(),
      token_fingerprint: `copy ${index}`,
      built_in_room: row.built_in_room && `${row.built_in_room} ${index}`,
      started_at: (row.started_at ?? row.created_at) - earlierMs,
      ended_at: (row.ended_at ?? row.created_at) - earlierMs,
      created_at: row.created_at - earlierMs,
      listed_at: row.listed_at - earlierMs * 1000,
    };
  });
  for (let from = 0; from < copies.length; from += 500)
    await database
      .insertInto('sessions')
      .values(copies.slice(from, from + 500))
      .execute();
  await database.destroy();
}

/** Scrolls to the end until nothing more comes. */
async function loadAll(page: Page): Promise<number> {
  const startedAt = Date.now();
  const table = page.locator('.session-table');
  await table.waitFor();
  const fullTable = page.locator(`.session-table[aria-rowcount="${SESSIONS + 1}"]`);
  while ((await fullTable.count()) === 0) {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForFunction(
      (previousTop) =>
        document.documentElement.scrollHeight > previousTop ||
        document.querySelector('.session-table')?.getAttribute('aria-rowcount') !== '-1',
      await page.evaluate(() => document.documentElement.scrollHeight),
    );
  }
  return Date.now() - startedAt;
}

/** From the end to the top and down again; the times between frames in milliseconds. */
const scroll = (page: Page): Promise<number[]> =>
  page.evaluate(
    ({ count, stepPx }) =>
      new Promise((resolve) => {
        const times: number[] = [];
        let lastMs = performance.now();
        const tick = (now: number) => {
          times.push(now - lastMs);
          lastMs = now;
          scrollBy(0, times.length < count / 2 ? -stepPx : stepPx);
          if (times.length < count) requestAnimationFrame(tick);
          else resolve(times.slice(1));
        };
        requestAnimationFrame(tick);
      }),
    { count: FRAMES, stepPx: STEP_PX },
  );
