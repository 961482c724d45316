/*
 * `node chromium.ts PAGE URL TOKEN`: Chromium joins a room by relayed media only, from the origin
 * of PAGE, and prints a line of JSON for each second in which frames arrive. The first line names
 * the addresses between which the media travel.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../../support/pages/browser.ts';
import type { SeenSecond } from './watch.ts';

const [page = '', url = '', token = ''] = process.argv.slice(2);
const client = fileURLToPath(
  new URL('livekit-client.umd.js', import.meta.resolve('livekit-client')),
);

const browser = await openBrowser();
// The page's policy allows no script of another origin.
const context = await browser.newContext({ bypassCSP: true });
const tab = await context.newPage();
await tab.goto(page);
await tab.addScriptTag({ content: await readFile(client, 'utf8') });
await tab.exposeFunction('tell', (line: unknown) => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
});
await tab.evaluate(watch, { url, token });

type Told = {
  tell: (line: unknown) => Promise<void>;
  LivekitClient: typeof import('livekit-client');
};

/** Runs in the page. */
async function watch(room: { url: string; token: string }): Promise<void> {
  const { tell, LivekitClient } = globalThis as unknown as Told;
  const { Room, RoomEvent, Track } = LivekitClient;
  const joined = new Room();
  const video = document.body.appendChild(document.createElement('video'));
  video.muted = true;
  const picture = new OffscreenCanvas(40, 24).getContext('2d', { willReadFrequently: true })!;
  joined.on(RoomEvent.TrackSubscribed, (track) => {
    if (track.kind !== Track.Kind.Video) return;
    track.attach(video);
    void count(track);
  });
  await joined.connect(room.url, room.token, { rtcConfig: { iceTransportPolicy: 'relay' } });

  async function count(track: import('livekit-client').RemoteTrack): Promise<void> {
    let second: SeenSecond = { frames: 0, moved: 0 };
    let since = performance.now();
    let startPixels: Uint8ClampedArray | null = null;
    let isFirst = true;
    for (;;) {
      await new Promise((resolve) => video.requestVideoFrameCallback(resolve));
      picture.drawImage(video, 0, 0, 40, 24);
      const pixels = picture.getImageData(0, 0, 40, 24).data;
      const start: Uint8ClampedArray = (startPixels ??= pixels);
      // As in native.ts: one place changed by more than coding noise.
      if (pixels.some((value, at) => Math.abs(value - start[at]!) > 6)) second.moved += 1;
      second.frames += 1;
      if (performance.now() - since < 1_000) continue;
      if (isFirst) await tell({ ...second, path: await pathOf(track) });
      else await tell(second);
      isFirst = false;
      second = { frames: 0, moved: 0 };
      startPixels = null;
      since = performance.now();
    }
  }

  /** The kind of the viewer's own candidate, and how it reaches its relay. */
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page knows only `watch`
  async function pathOf(track: import('livekit-client').RemoteTrack): Promise<string> {
    const report = (await track.getRTCStatsReport()) ?? new Map();
    const entries = [...report.values()] as Record<string, unknown>[];
    const pair = entries.find(
      ({ type, nominated, state }) =>
        type === 'candidate-pair' && nominated && state === 'succeeded',
    );
    const candidate = entries.find(({ id }) => id === pair?.['localCandidateId']);
    return `${String(candidate?.['candidateType'])} over ${String(candidate?.['relayProtocol'])} by ${String(candidate?.['url'])}`;
  }
}
