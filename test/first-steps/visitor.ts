import type { Browser } from 'playwright-core';
import { FIRST_AVATAR } from '../support/cast.ts';
import type { FreshService } from './fresh-service.ts';
import type { Walk } from './walk.ts';

const WAY = 'visitor';
const FACE_WITHIN_S = 180;
const { name: NAME } = FIRST_AVATAR;

/** Opens the printed link and talks; another browser without the link looks on. */
export async function runVisitor(
  walk: Walk,
  browser: Browser,
  service: FreshService,
): Promise<void> {
  const page = await browser.newPage();
  const talk = page.getByRole('button', { name: `Talk with ${NAME}` });
  const open = async () => {
    await page.goto(service.printed(/(http\S+#code=\S+)/));
    await talk.waitFor();
    await page.getByText('Languages').waitFor();
  };
  await walk.step(WAY, 'open the printed link', open, page);

  const live = async () => {
    await talk.click();
    await page.getByText('Live', { exact: true }).waitFor();
  };
  await walk.step(WAY, 'talk: the face is there', live, page);
  walk.goal('nothing to a talking face', walk.secondsOf('start', WAY), FACE_WITHIN_S);

  const ask = async () => {
    const message = page.getByLabel(`Message ${NAME}`);
    await message.fill('What does it cost?');
    await message.press('Enter');
    const answer = page.getByText('The licence is Apache 2.0').filter({ visible: true });
    await answer.first().waitFor();
  };
  await walk.step(WAY, 'ask what it costs', ask, page);
  await page.getByRole('button', { name: 'End call' }).click();
  await page.close();

  const stranger = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const look = async () => {
    await stranger.goto(service.address);
    await stranger.getByRole('link', { name: 'Sign in to talk' }).waitFor();
  };
  await walk.step(WAY, 'without rights, on a phone', look, stranger);
  await stranger.close();
}
