import { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { print } from '../printing.ts';
import { localSettings } from '../settings.ts';

export const restoreCommand = (context: CliContext) =>
  new Command('restore')
    .description('restore a backup into the empty records of this machine')
    .argument('<folder>', 'folder that `troupe backup` wrote')
    .addHelpText(
      'after',
      `
Copies into DATA_DIR or DATABASE_URL, before the first start of the service. Needs the secret keys that the backup names, in
TROUPE_SECRET_KEY or the key file, unless the backup holds them.

Examples:
  $ troupe restore /backup/2026-11-25`,
    )
    .action(async (folder: string) => {
      const settings = await localSettings(context);
      const { restoreRecords, restoreText } =
        await import('../../start/commands/restored-records.ts');
      const done = await restoreRecords(settings, folder);
      print(context, done, () => [restoreText(done)]);
    });
