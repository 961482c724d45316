import { openBrowser } from '../support/pages/browser.ts';
import { startService } from '../support/processes/service.ts';

export type ClipKind = { seconds: number; hasSound: boolean; videoBitsPerSecond: number };

const TEXT =
  'Hello, it is good to see you. I speak whatever you type, and my mouth, my eyes and my head go with every word of it. What would you like to hear?';

/** A live session as a browser shows and plays it, as WebM. */
export async function recordClip(avatar: string, kind: ClipKind): Promise<Buffer> {
  const [service, browser] = await Promise.all([startService(), openBrowser()]);
  try {
    const page = await browser.newPage();
    await page.goto(`${service.address}/try#code=${service.pageCode}`);
    await page.getByRole('button', { name: new RegExp(`\\b${avatar}\\b`, 'i') }).click();
    await page.getByRole('status').getByText('Ready').waitFor();
    await page.getByLabel(/What should/).fill(TEXT);
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.getByRole('status').getByText('Speaking').waitFor();
    const recorded = await page.evaluate(record, kind);
    await page.goto('about:blank');
    return Buffer.from(recorded, 'base64');
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Runs in the page: records its media elements, as base64. */
async function record({ seconds, hasSound, videoBitsPerSecond }: ClipKind): Promise<string> {
  const tracks = (hasSound ? ['video', 'audio'] : ['video']).flatMap((kind) => {
    const stream = document.querySelector<HTMLMediaElement>(kind)?.srcObject;
    return stream instanceof MediaStream ? stream.getTracks().filter((t) => t.kind === kind) : [];
  });
  const recorder = new MediaRecorder(new MediaStream(tracks), {
    mimeType: hasSound ? 'video/webm;codecs=vp8,opus' : 'video/webm;codecs=vp8',
    videoBitsPerSecond,
  });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
  recorder.start();
  setTimeout(() => recorder.stop(), seconds * 1000);
  await stopped;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
