import { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { print } from '../printing.ts';
import { localSettings } from '../settings.ts';

export const backupCommand = (context: CliContext) =>
  new Command('backup')
    .description('copy the records of this machine, also while the service runs')
    .argument('<folder>', 'new or empty folder')
    .option('--with-keys', 'add the secret keys: anyone who has the backup can then read it')
    .addHelpText(
      'after',
      `
Copies all tables, pictures and avatar bundles of DATA_DIR or DATABASE_URL at one moment. \`troupe restore\` brings them back.

Examples:
  $ troupe backup /backup/$(date +%F)`,
    )
    .action(async (folder: string, { withKeys = false }: { withKeys?: boolean }) => {
      const settings = await localSettings(context);
      const { backUpRecords, backupText } =
        await import('../../start/commands/backed-up-records.ts');
      const done = await backUpRecords(settings, { folder, withKeys });
      print(context, done, () => backupText(done));
    });
