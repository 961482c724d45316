import type { BrowserContext } from 'playwright-core';
import type { BuiltApp } from '../api/build-app.ts';

/** Opens the console as its owner, as anybody on the machine may until a password is set. */
export async function signInToConsole(context: BrowserContext, service: BuiltApp): Promise<void> {
  const page = await context.newPage();
  await page.clock.setFixedTime(service.clock.now());
  await page.goto(`${service.url}/console`);
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.close();
}
