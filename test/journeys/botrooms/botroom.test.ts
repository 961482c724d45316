import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readWave } from '../../../workers/studio/wave-file.ts';
import { BotroomStage } from '../../stage/botroom-stage.ts';
import { shareService } from '../../support/processes/shared-service.ts';
import { decoded } from '../../support/picture/i420.ts';
import { loudSeconds } from '../../support/sound/loud-seconds.ts';
import { risingTone, utterancesIn } from '../../support/sound/rising-tone.ts';
import { until } from '../../support/until.ts';

const RATE = 16_000;
/** At which the client hears. */
const HEARD_RATE = 48_000;
const VOICE = path.join(
  import.meta.dirname,
  '../../fixtures/lipsync/audio/hibari-heart_en_00.flac',
);
const VOICE_S = 5;
const ONGOING = { status: { type: 'ongoing' } };

let stage: BotroomStage;
beforeAll(async () => {
  stage = new BotroomStage(await shareService());
});
afterEach(() => stage.empty());
afterAll(() => stage?.service.stop());

/** A botroom carries sound whole: a slow machine delays it, but loses none. */
const completeUtterance = (seconds: number) => ({
  seconds: expect.closeTo(seconds, 1),
  startSecond: expect.closeTo(0, 1),
  endSecond: expect.closeTo(seconds, 1),
});

describe('a bot in a botroom', () => {
  test('gets its speech back in full', async () => {
    const { id, client } = await stage.join();

    await client.speak(risingTone(RATE, 3), RATE);
    await client.speak(risingTone(RATE, 2), RATE);
    await until(() => loudSeconds(client.soundSince(), HEARD_RATE) >= 4.9);
    await client.untilSilent();

    expect(utterancesIn(client.soundSince())).toEqual([completeUtterance(3), completeUtterance(2)]);
    expect(await stage.find(id)).toMatchObject(ONGOING);
  });

  test('sees the avatar speak', async () => {
    const { client } = await stage.join();
    const { pcm, sampleRate } = readWave(VOICE);
    const speech = new Int16Array(new Uint8Array(pcm).buffer).slice(0, VOICE_S * sampleRate);

    await client.speak(speech, sampleRate);
    await client.untilSilent();

    const sizes = await Promise.all(client.pictures.slice(-5).map(({ jpeg }) => decoded(jpeg)));
    const mediaTimes = client.pictures.map(({ mediaMs }) => mediaMs);
    expect(new Set(mediaTimes).size).toBeGreaterThan(1);
    expect(mediaTimes).toEqual(mediaTimes.toSorted((a, b) => a - b));
    for (const { width, height } of sizes) expect([width, height]).toEqual([512, 512]);
  });

  test('hears nothing more after it has interrupted, and still sees the avatar', async () => {
    const { client } = await stage.join();

    await stage.interrupt(client);
    const picturesBefore = client.pictures.length;
    await until(() => client.pictures.length > picturesBefore);

    const [cut, ...laterUtterances] = utterancesIn(client.soundSince());
    expect(cut!.endSecond).toBeLessThan(2.9);
    expect(laterUtterances).toEqual([]);
  });

  test('ends the session by its close record', async () => {
    const { id, client } = await stage.join();

    client.send('close');
    await until(async () => (await stage.find(id)).status.type === 'completed');

    expect(await stage.find(id)).toMatchObject({ end_reason: 'ended_by_client' });
    expect(client.closed?.code).toBe(1000);
  });
});

describe('a botroom that moves to another worker', () => {
  test('keeps its client when the first one is killed in mid-speech', async () => {
    const { id, client } = await stage.join();
    await stage.startSecondWorker();

    await stage.killWorker(client);

    expect(utterancesIn(client.soundSince()).at(-1)).toEqual(completeUtterance(1));
    expect(client.closed).toBeNull();
    expect(await stage.find(id)).toMatchObject(ONGOING);
  });

  test('keeps its speech when the first one drains', async () => {
    const { id, client } = await stage.join();
    await stage.startSecondWorker();

    await stage.drainWorker(client);

    expect(client.takeovers).toHaveLength(1);
    expect(utterancesIn(client.soundSince())).toEqual([completeUtterance(2), completeUtterance(1)]);
    expect(client.closed).toBeNull();
    expect(await stage.find(id)).toMatchObject(ONGOING);
  });
});
