import type { RoomWords } from '../words/room-words.ts';
import { StageTool } from './stage-tool.ts';

const ICON = 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5';

/** Gives the whole screen to the stage. */
export class FullScreen {
  readonly tool: StageTool;
  readonly #stage: () => HTMLElement;

  /** The stage does not exist before the tool that it shows. */
  constructor({ fullScreen, leaveFullScreen }: RoomWords, stage: () => HTMLElement) {
    this.#stage = stage;
    this.tool = new StageTool('full-screen', ICON, () => {
      if (this.#isOn) this.leave();
      else stage().requestFullscreen().catch(warn);
    });
    // iPhones give it to films only.
    this.tool.button.hidden = !document.fullscreenEnabled;
    const show = () => this.tool.show(this.#isOn ? leaveFullScreen : fullScreen);
    document.addEventListener('fullscreenchange', show);
    show();
  }

  leave(): void {
    if (this.#isOn) document.exitFullscreen().catch(warn);
  }

  get #isOn(): boolean {
    return document.fullscreenElement !== null && document.fullscreenElement === this.#stage();
  }
}

const warn = (error: unknown): void => console.warn('full screen not changed', error);
