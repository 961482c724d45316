import { once } from 'node:events';
import type { Browser } from 'playwright-core';
import type { FreshService } from './fresh-service.ts';
import type { Walk } from './walk.ts';

const WAY = 'operator';

/** Signs in to the console by the printed link, looks around, and runs doctor. */
export async function runOperator(
  walk: Walk,
  browser: Browser,
  service: FreshService,
): Promise<void> {
  const page = await browser.newPage();
  const signIn = async () => {
    await page.goto(service.printed(/(http\S+\/console#link=\S+)/));
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.getByText('First steps').waitFor();
  };
  await walk.step(WAY, 'sign in: three first steps', signIn, page);

  for (const [path, text] of [
    ['/health', 'What agents can do'],
    ['/conversations', 'Conversations'],
    ['/agents', 'Nora'],
  ] as const) {
    const open = async () => {
      await page.goto(`${service.address}/console${path}`);
      await page.getByText(text).first().waitFor();
    };
    await walk.step(WAY, `open ${path}`, open, page);
  }
  const openTry = async () => {
    await page.goto(`${service.address}/try`);
    await page.getByRole('button', { name: 'Nora' }).waitFor();
  };
  await walk.step(WAY, 'open /try without another link', openTry, page);
  await page.close();

  await walk.step(WAY, 'doctor finds no problem', async () => {
    const doctor = service.run('npx', 'troupe', 'doctor');
    const [code] = await once(doctor.process, 'exit');
    if (code !== 0) throw new Error(`doctor found a problem:\n${doctor.output()}`);
  });
}
