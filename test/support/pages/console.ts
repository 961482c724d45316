import type { BrowserContext, Page } from 'playwright-core';
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

/** Adds to `problems`: the browser's complaints, and requests to any other host. */
export function noteProblems(
  context: BrowserContext,
  serviceUrl: string,
  problems: string[],
): void {
  context.on('weberror', (error) => problems.push(error.error().message));
  context.on('console', (line) => {
    // The browser reports every refusal of the service, also expected ones.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
      problems.push(line.text());
  });
  context.on('request', (request) => {
    const isOwn = request.url().startsWith(serviceUrl) || request.url().startsWith('data:');
    if (!isOwn) problems.push(`asks ${request.url()}`);
  });
}

type Joining = {
  /** The page about people, of an owner. */
  people: Page;
  /** Browser of the new person. */
  context: BrowserContext;
  now: number;
};

/** Invites a person, and signs them in by the link. Resolves with their page at home. */
export async function joinConsole(
  { people, context, now }: Joining,
  role: 'viewer' | 'builder',
  name: string,
): Promise<Page> {
  await people.getByRole('button', { name: 'Invite' }).click();
  const invite = people.getByRole('dialog');
  await invite.getByLabel('Role').selectOption(role);
  await invite.getByRole('button', { name: 'Invite' }).click();
  const link = await people.getByRole('dialog').getByRole('region').innerText();

  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  await page.goto(link.trim());
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('New password').fill(`a long password of ${name}`);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  // Without the code of the link.
  await page.waitForURL((url) => url.pathname === '/console' && url.hash === '');
  return page;
}
