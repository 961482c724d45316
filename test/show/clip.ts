import { pageLink } from '../../src/shared/network/page-link.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { startService } from '../support/processes/service.ts';

const SECONDS = 10;
const TEXT =
  'Hello, it is good to see you. I speak whatever you type, and my mouth, my eyes and my head go with every word of it. What would you like to hear?';

/** Ten seconds of a live session as a browser shows and plays them, as WebM. */
export async function recordClip(avatar: string): Promise<Buffer> {
  const [service, browser] = await Promise.all([startService(), openBrowser()]);
  try {
    const page = await browser.newPage();
    await page.goto(pageLink(service.address, service.pageCode));
    await page.getByRole('button', { name: new RegExp(`\\b${avatar}\\b`, 'i') }).click();
    await page.getByRole('status').getByText('Ready').waitFor();
    await page.getByLabel(/What should/).fill(TEXT);
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.getByRole('status').getByText('Speaking').waitFor();
    const recorded = await page.evaluate(record, SECONDS * 1000);
    await page.goto('about:blank');
    return Buffer.from(recorded, 'base64');
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Runs in the page: records its video and audio elements, as base64. */
async function record(ms: number): Promise<string> {
  const tracks = ['video', 'audio'].flatMap((kind) => {
    const stream = document.querySelector<HTMLMediaElement>(kind)?.srcObject;
    return stream instanceof MediaStream ? stream.getTracks().filter((t) => t.kind === kind) : [];
  });
  const recorder = new MediaRecorder(new MediaStream(tracks), {
    mimeType: 'video/webm;codecs=vp8,opus',
    videoBitsPerSecond: 2_500_000,
  });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
  recorder.start();
  setTimeout(() => recorder.stop(), ms);
  await stopped;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
