import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { RunningService } from '../processes/service.ts';
import { FIRST_AVATAR } from '../cast.ts';

type SessionRow = {
  id: string;
  transport: string;
  status: { type: string };
  end_reason?: string;
};

/** The try page of a service, in browsers that opened its link. */
export class TryPage {
  readonly #service: RunningService;
  readonly #browser: Browser;
  /** State that a browser keeps after it opened the printed link. */
  readonly letIn: Awaited<ReturnType<BrowserContext['storageState']>>;

  private constructor(
    service: RunningService,
    browser: Browser,
    letIn: Awaited<ReturnType<BrowserContext['storageState']>>,
  ) {
    this.#service = service;
    this.#browser = browser;
    this.letIn = letIn;
  }

  static async open(service: RunningService, browser: Browser): Promise<TryPage> {
    const page = await browser.newPage();
    await page.goto(`${service.address}/try#code=${service.pageCode}`);
    await page.getByRole('button', { name: FIRST_AVATAR.name }).waitFor();
    expect(page.url()).toBe(`${service.address}/try`);
    const letIn = await page.context().storageState();
    await page.close();
    return new TryPage(service, browser, letIn);
  }

  /** Newest first. */
  async sessions(): Promise<SessionRow[]> {
    const answer = await this.#service.api('/v1/sessions');
    return ((await answer.json()) as { data: SessionRow[] }).data;
  }

  /** The avatar's session has begun. `problems` gets the browser's complaints. */
  async pick(name: string, problems: string[] = [], by = this.#browser): Promise<Page> {
    const page = await by.newPage({ storageState: this.letIn });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    await tapPage(page);
    await page.goto(`${this.#service.address}/try`);
    // The page asks for it once.
    await this.#service.hasFreeSlot();
    await page.getByRole('button', { name }).click();
    return page;
  }
}

/** A failure shows what the page says instead. */
export const isReady = (page: Page): Promise<void> =>
  expect.poll(() => page.locator('body').innerText()).toMatch(/^Ready$/m);

/** Closes the page as a person does: it ends its session. */
export async function leave(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.close();
}

/** Records the sound that the page plays by WebAudio, and counts its pictures. */
async function tapPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tap: PageTap = { webAudio: null, picturesShown: 0 };
    Object.assign(globalThis, tap);
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- runs in the page
    const spyOn = (of: object, name: string, see: (self: unknown, argument: unknown) => void) => {
      const method = Reflect.get(of, name) as (...args: unknown[]) => unknown;
      Reflect.set(of, name, function (this: unknown, ...args: unknown[]) {
        see(this, args[0]);
        return Reflect.apply(method, this, args);
      });
    };
    spyOn(AudioNode.prototype, 'connect', (node, to) => {
      if (!(node instanceof AudioNode && node.context instanceof AudioContext)) return;
      if (!(to instanceof AudioDestinationNode)) return;
      const copy = node.context.createMediaStreamDestination();
      node.connect(copy);
      Object.assign(globalThis, { webAudio: copy.stream });
    });
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- runs in the page
    const onPicture = () => ((globalThis as unknown as PageTap).picturesShown += 1);
    spyOn(CanvasRenderingContext2D.prototype, 'drawImage', onPicture);
    spyOn(HTMLVideoElement.prototype, 'requestVideoFrameCallback', onPicture);
  });
}

type PageTap = { webAudio: MediaStream | null; picturesShown: number };

/** The page asks for each frame of its video, and draws each picture of a botroom. */
export const picturesShown = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as PageTap).picturesShown);
