import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OutboundStage } from '../../stage/outbound-stage.ts';
import { PipecatBot } from '../../support/agents/pipecat-bot.ts';
import { isPipecatThere } from '../../support/agents/pipecat-pipeline.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { shareService } from '../../support/processes/shared-service.ts';
import { until } from '../../support/until.ts';

let service: RunningService;
let stage: OutboundStage;
beforeAll(async () => {
  service = await shareService();
  stage = new OutboundStage(service);
});
afterEach(() => stage.empty());
afterAll(() => service?.stop());

async function openBot(): Promise<PipecatBot> {
  const bot = await PipecatBot.open();
  stage.closes(() => bot.close());
  return bot;
}

const withPython = describe.skipIf(!isPipecatThere); // Python is optional outside CI.

withPython('a Pipecat websocket bot, unmodified', () => {
  test('gets a face that says what it says, falls silent with it, and brings it the visitor', async () => {
    const { mouthMoves, tone, microphone, record } = await stage.converse();

    expect(mouthMoves).toBeGreaterThan(5);
    expect(tone).toBeDefined();
    expect(microphone).toHaveLength(1);
    expect(record).toMatchObject({ rate: 16_000, channels: 1, bytes: 640 });
  });
});

test('a bot that refuses ends the session, and its owner learns why', async () => {
  const bot = await openBot();
  bot.refusal = { status: 401 };
  const session = await stage.openSession(bot.url);
  await stage.watch(session);

  await until(async () => (await stage.find(session.id)).status.type === 'completed');

  expect(await stage.find(session.id)).toMatchObject({
    end_reason: 'room_refused',
    end_detail: `127.0.0.1:${bot.port} refused the token`,
  });
});

test('a bot that hangs up ends the session after the usual grace', async () => {
  const bot = await openBot();
  const session = await stage.openSession(bot.url);
  await stage.watch(session);
  await until(() => bot.frames.length > 0);

  bot.socket.close(1000);
  await until(async () => (await stage.find(session.id)).status.type === 'completed');

  expect(await stage.find(session.id)).toMatchObject({ end_reason: 'agent_left' });
  expect(bot.connections).toHaveLength(1);
});
