import type { Log } from '#shared/log.ts';
import type { DrawSheet } from '#protocol/worker/questions.ts';
import type { Sheet } from '#protocol/pictures/sheets.ts';
import type { ControlLink } from '../../runtime/control-link.ts';
import type { BundleUse } from '../open-bundles.ts';
import { drawSheet } from './draw-sheet.ts';

type SheetsParts = {
  link: Pick<ControlLink, 'send'>;
  /** Rejects for an avatar that cannot be opened. */
  show: (avatar: Pick<DrawSheet, 'avatarId' | 'bundle'>) => Promise<BundleUse>;
  log: Log;
};

/** Draws contact sheets, one after the other, and sends them. */
export class Sheets {
  readonly #parts: SheetsParts;
  #lastDrawing: Promise<void> = Promise.resolve();

  constructor(parts: SheetsParts) {
    this.#parts = parts;
  }

  draw(order: DrawSheet): void {
    this.#lastDrawing = this.#lastDrawing.then(() => this.#draw(order));
  }

  async #draw({ avatarId, bundle }: DrawSheet): Promise<void> {
    const { link, log } = this.#parts;
    const sheet = await this.#sheetOf({ avatarId, ...(bundle !== undefined && { bundle }) }).catch(
      (err: unknown) => {
        log.warn({ avatarId, err }, 'contact sheet not drawn');
        return null;
      },
    );
    link.send({ type: 'sheet', avatarId, ...(sheet && { sheet }) });
  }

  async #sheetOf(avatar: Pick<DrawSheet, 'avatarId' | 'bundle'>): Promise<Sheet> {
    const bundleUse = await this.#parts.show(avatar);
    try {
      return await drawSheet(bundleUse.bundle.face);
    } finally {
      bundleUse.release();
    }
  }
}
