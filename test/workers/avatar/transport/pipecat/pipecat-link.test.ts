import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { audio, BotStage, rtvi } from '../../../../support/agents/linked-bot.ts';
import { PipecatBot } from '../../../../support/agents/pipecat-bot.ts';
import { pcm, tone } from '../../../../support/sound/pcm.ts';
import { until } from '../../../../support/until.ts';

const stage = new BotStage();

describe('a link to a Pipecat bot', () => {
  test('dials when the avatar is shown and a visitor has come, and says that it is ready', async () => {
    const { link, events } = await stage.link({ token: 'secret' });
    link.visited(true);
    link.visited(false);
    link.shown();
    const requestCount = stage.bot.requests.length;

    link.visited(true);
    await until(() => stage.bot.frames.length > 0);

    expect([requestCount, stage.bot.requests.length]).toEqual([0, 1]);
    expect(stage.bot.requests[0]!.headers).toMatchObject({ authorization: 'Bearer secret' });
    expect(stage.bot.requests[0]!.headers).not.toHaveProperty('sec-websocket-extensions');
    const [firstFrame] = stage.bot.frames;
    expect(firstFrame?.type === 'message' && JSON.parse(firstFrame.data)).toMatchObject({
      label: 'rtvi-ai',
      type: 'client-ready',
    });
    expect(events).toEqual([{ isHere: true }]);
  });

  test('turns its chunks into a segment that its own message ends', async () => {
    const { events } = await stage.connected();

    stage.bot.send(rtvi('bot-started-speaking'));
    stage.bot.send(audio(40));
    stage.bot.send({ type: 'text', text: 'hello' });
    stage.bot.send(audio(40));
    stage.bot.send(rtvi('bot-stopped-speaking'));
    await until(() => events.includes('end'));

    expect(events.slice(1)).toEqual([
      { begin: { sampleRate: 24_000, channels: 1 } },
      { bytes: 1920 },
      { bytes: 1920 },
      'end',
    ]);
  });

  test('drops all speech when the bot is interrupted', async () => {
    const { events } = await stage.connected();

    stage.bot.send(audio(40));
    stage.bot.send({ type: 'interruption' });
    stage.bot.send(audio(40));
    stage.bot.send(rtvi('bot-stopped-speaking'));
    await until(() => events.includes('end'));

    expect(events.filter((event) => typeof event === 'string')).toEqual(['clear', 'end']);
    expect(events.filter((event) => typeof event === 'object' && 'begin' in event)).toHaveLength(2);
  });

  test('sends the microphone as mono audio at 16 kHz', async () => {
    const { link } = await stage.connected();
    const samples = tone(16_000, 20);

    link.hear(samples);
    await until(() => stage.bot.frames.length > 1);

    expect(stage.bot.frames[1]).toEqual({
      type: 'audio',
      audio: Buffer.from(pcm(samples)),
      sampleRate: 16_000,
      channels: 1,
    });
  });

  test('does not keep what a bot does not read', async () => {
    const { link } = await stage.connected();
    const { socket } = stage.bot;
    socket.pause();
    const second = tone(16_000, 1000);

    for (let i = 0; i < 2_000; i++) link.hear(second);
    socket.resume();
    const closed = once(socket, 'close');
    await link.close();
    await closed;

    // Ten seconds, and what the buffers of the system hold.
    expect(stage.bot.frames.length).toBeLessThan(1_000);
  });

  test('closes the connection with the session', async () => {
    const { link } = await stage.connected();
    const closed = once(stage.bot.socket, 'close');

    await link.close();

    expect((await closed)[0]).toBe(1000);
  });
});

describe('a bot that is lost', () => {
  test('is dialled again, and its speech goes on', async () => {
    const { events, presences, chunks } = await stage.connected();
    stage.bot.send(audio(40));
    await until(() => chunks() === 1);

    stage.bot.socket.terminate();
    await until(() => presences().at(-1) === false);
    stage.clock.advance(250);
    await until(() => stage.bot.frames.length === 2);
    stage.bot.send(audio(40));
    await until(() => chunks() === 2);

    expect(presences()).toEqual([true, false, true]);
    expect(events.filter((event) => event === 'end')).toHaveLength(1);
    expect(stage.bot.connections).toHaveLength(2);
  });

  test('may restart', async () => {
    const { events, presences } = await stage.connected();
    stage.bot.send({ type: 'interruption' });
    await until(() => events.includes('clear'));
    const { port } = stage.bot;

    await stage.bot.close();
    await until(() => presences().at(-1) === false);
    // The port refuses: the next attempt comes later.
    stage.clock.advance(250);
    await until(() => stage.clock.nextInMs! <= 500);
    stage.bot = await PipecatBot.open(port);
    stage.clock.advance(500);
    await until(() => stage.bot.frames.length === 1);

    expect(presences()).toEqual([true, false, true]);
  });

  test('because it ended the conversation is not dialled again', async () => {
    const { events, presences, chunks } = await stage.connected();
    stage.bot.send(audio(40));
    await until(() => chunks() === 1);

    stage.bot.socket.close(1000);
    await until(() => presences().at(-1) === false);
    stage.clock.advance(60_000);

    expect(stage.bot.requests).toHaveLength(1);
    expect(events.at(-2)).toBe('end');
  });

  test('because it answers no ping is dialled again', async () => {
    const { presences, chunks } = await stage.connected();
    stage.bot.send(audio(40));
    await until(() => chunks() === 1);
    stage.bot.socket.pause();

    stage.clock.advance(10_000);
    const afterOne = presences().at(-1);
    stage.clock.advance(10_000);

    expect([afterOne, presences().at(-1)]).toEqual([true, false]);
  });
});
