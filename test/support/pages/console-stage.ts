import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openScene, type Scene } from '../../show/console-scene.ts';
import { openBrowser } from './browser.ts';
import { noteProblems, signInToConsole } from './console.ts';

/** The console of a service with an hour of sessions, as its owner. `rest` after each test. */
export class ConsoleStage {
  readonly scene: Scene;
  readonly browser: Browser;
  readonly owner: BrowserContext;
  readonly #problems: string[] = [];

  static async open(): Promise<ConsoleStage> {
    const [scene, browser] = await Promise.all([openScene(), openBrowser()]);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const stage = new ConsoleStage(scene, browser, await browser.newContext({ permissions }));
    stage.note(stage.owner);
    await signInToConsole(stage.owner, scene.service);
    return stage;
  }

  private constructor(scene: Scene, browser: Browser, owner: BrowserContext) {
    this.scene = scene;
    this.browser = browser;
    this.owner = owner;
  }

  /** Notes what its pages complain of, and what they ask of other hosts. */
  note(context: BrowserContext): void {
    noteProblems(context, this.scene.service.url, this.#problems);
  }

  async visit(path: string, context = this.owner): Promise<Page> {
    const { service } = this.scene;
    const page = await context.newPage();
    await page.clock.setFixedTime(service.clock.now());
    await page.goto(`${service.url}/console${path}`);
    return page;
  }

  /** Closes the owner's pages. Returns the problems since the last time. */
  async rest(): Promise<string[]> {
    for (const page of this.owner.pages()) await page.close();
    return this.#problems.splice(0);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.scene.service.close();
  }
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

export const click = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).click();
