/*
 * A rolling upgrade and its way back, with real PostgreSQL, Redis and control planes of two
 * versions in processes of their own. Workers of both versions perform without media. Sessions are
 * opened and ended throughout; after each step every session is performed once, or was ended by its
 * client, and every control plane reads the knowledge files of all.
 */
import { checkOutPrevious } from './previous-version.ts';
import { UpgradeStage } from './upgrade-stage.ts';

export async function upgrade(): Promise<void> {
  const previous = await checkOutPrevious(process.env['PREVIOUS']);
  const stage = await UpgradeStage.open(previous);
  try {
    await stage.step('two control planes and two workers of the version before', async () => {
      await stage.startOld('old 1');
      await stage.begin();
      await stage.startOld('old 2');
      await stage.startWorker('old worker 1', 'old');
      await stage.startWorker('old worker 2', 'old');
    });
    await stage.step('a new control plane migrates the database beside them', () =>
      stage.startNew('new 1'),
    );
    await stage.step('an old one stops; its sessions are taken over', () => stage.stop('old 2'));
    await stage.step('a new worker takes the sessions of an old one', async () => {
      await stage.startWorker('new worker 1', 'new');
      await stage.drain('old worker 1');
    });
    await stage.step('all control planes are new', async () => {
      await stage.startNew('new 2');
      if (previous.takesNewerRecords) await stage.stop('old 1');
      else stage.say('  old 1 stays: its version does not start on newer records');
    });
    await stage.step('back again: old control planes serve with new workers', async () => {
      if (previous.takesNewerRecords) await stage.startOld('old 3');
      await stage.stop('new 1');
      await stage.stop('new 2');
      await stage.startWorker('new worker 2', 'new');
      await stage.drain('old worker 2');
    });
    await stage.step('forward again: all is new', async () => {
      await stage.startNew('new 3');
      await stage.stop(previous.takesNewerRecords ? 'old 3' : 'old 1');
    });
    await stage.end();
  } finally {
    await stage.close();
    await previous.remove();
  }
}
