import type { Browser } from 'playwright-core';
import { end, type FreshService } from './fresh-service.ts';
import type { Walk } from './walk.ts';

const WAY = 'builder';
const OWN_AGENT_WITHIN_S = 300;
const KNOWING = 'knowing';
const KNOWING_WITHIN_S = 180;

/** Gives an own LiveKit agent a face, and makes an agent that answers from a file. */
export async function runBuilder(
  walk: Walk,
  browser: Browser,
  service: FreshService,
): Promise<void> {
  const page = await browser.newPage();
  const read = async () => {
    await page.goto(`${service.address}/docs/livekit-agent`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  await walk.step(WAY, 'read how to connect a LiveKit agent', read, page);

  const example = await walk.step(WAY, 'run an agent of its own', () =>
    service.example(
      'livekit-agent-node',
      /(?=[\s\S]*registered worker)[\s\S]*The page is at (\S+)/,
    ),
  );
  try {
    const join = async () => {
      await page.goto(example.match);
      await page.getByRole('button', { name: 'Join' }).click();
      await page.waitForFunction(() => document.querySelector('video')?.videoWidth);
    };
    await walk.step(WAY, 'join: the agent has a face', join, page);
    walk.goal('own LiveKit agent with a face', walk.secondsOf(WAY), OWN_AGENT_WITHIN_S);
  } finally {
    await end(example);
  }

  const agent = await walk.step(KNOWING, 'store a text, and make an agent', async () => {
    const { id } = await service.make<{ id: string }>('/v1/knowledge-files', {
      name: 'Opening hours',
      format: 'text',
      content: 'The shop opens at nine in the morning. On Sundays it is closed.',
    });
    const settings = { name: 'Nora', avatar_id: 'nora', knowledge_files: [id] };
    return service.make<{ chat_url: string }>('/v1/agents', settings);
  });
  const ask = async () => {
    await page.goto(agent.chat_url);
    await page.getByRole('button', { name: 'Join' }).click();
    // Before, a text stays in the field.
    await page.getByText('Live', { exact: true }).waitFor();
    const message = page.getByLabel('Message Nora');
    await message.fill('When does the shop open?');
    await message.press('Enter');
    const answer = page.getByText('opens at nine in the morning').filter({ visible: true });
    await answer.first().waitFor();
  };
  await walk.step(KNOWING, 'ask it in its room', ask, page);
  walk.goal('agent that answers from a file', walk.secondsOf(KNOWING), KNOWING_WITHIN_S);
  await page.close();
}
