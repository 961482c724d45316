import { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../exit-codes.ts';
import { print, table } from '../printing.ts';
import { ProgressBar } from '../progress-bar.ts';
import { localSettings } from '../settings.ts';

const MEGABYTE = 1_000_000;

export const speechCommand = (context: CliContext) =>
  new Command('speech')
    .description('speech models for other languages than English')
    .addCommand(listCommand(context))
    .addCommand(installCommand(context));

const listCommand = (context: CliContext) =>
  new Command('list')
    .description('list the models, with licence and source')
    .addHelpText(
      'after',
      `
Examples:
  $ troupe speech list
  $ troupe speech list --json`,
    )
    .action(async () => {
      const { DATA_DIR } = await localSettings(context);
      const { SPEECH_MODELS } = await import('../../start/speech-models/models.ts');
      const { isInstalled } = await import('../../start/speech-models/install-model.ts');
      const models = SPEECH_MODELS.map((model) => ({
        ...model,
        is_installed: isInstalled(DATA_DIR, model),
      }));
      print(context, models, () =>
        table(
          models.map((model) => [
            model.id,
            `${Math.round(model.bytes / MEGABYTE)} MB`,
            model.is_installed ? 'installed' : 'not installed',
            model.licence,
            model.languages.join(' '),
          ]),
        ),
      );
    });

const installCommand = (context: CliContext) =>
  new Command('install')
    .description('fetch the model of a language into DATA_DIR')
    .argument('<language>', 'such as `de`, or `all`')
    .addHelpText(
      'after',
      `
Fetches files that Troupe knows by their SHA-256, and continues an attempt that was cut off. SPEECH_MODELS_MIRROR names another
address that has the files under the same names. Needs Python 3 to unpack them.

Examples:
  $ troupe speech install de`,
    )
    .action(async (language: string) => {
      const { DATA_DIR, SPEECH_MODELS_MIRROR: mirror } = await localSettings(context);
      const { SPEECH_MODELS } = await import('../../start/speech-models/models.ts');
      const { installModel, modelFolder } =
        await import('../../start/speech-models/install-model.ts');
      const wanted = SPEECH_MODELS.filter(
        ({ languages }) => language === 'all' || languages.includes(language),
      );
      if (wanted.length === 0)
        throw new CliError(
          `There is no model for ${language}. \`troupe speech list\` lists them.`,
          2,
        );
      for (const model of wanted) {
        const bar = new ProgressBar(context, model.id);
        const onProgress = (share: number) => bar.update(share);
        const { signal } = context;
        try {
          await installModel(model, { dataDir: DATA_DIR, mirror, signal, onProgress });
        } finally {
          bar.end();
        }
      }
      const folders = wanted.map((model) => modelFolder(DATA_DIR, model));
      print(context, { folders }, () =>
        folders.flatMap((folder) => [
          `Installed in ${folder}. All agents without \`stt\` hear with it after a restart with`,
          `  SHERPA_MODEL_DIR=${folder}`,
          'in .env, and after `npm install sherpa-onnx-node`.',
        ]),
      );
    });
