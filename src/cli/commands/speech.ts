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
      const { SPEECH_MODELS } = await import('../../speech-models/models.ts');
      const { isInstalled } = await import('../../speech-models/install-model.ts');
      const models = SPEECH_MODELS.map(({ isStreaming, ...model }) => ({
        ...model,
        is_streaming: isStreaming,
        is_installed: isInstalled(DATA_DIR, model),
      }));
      print(context, models, () =>
        table(
          models.map((model) => [
            model.id,
            `${Math.round(model.bytes / MEGABYTE)} MB`,
            model.is_installed ? 'installed' : 'not installed',
            model.is_streaming ? 'streaming' : 'by utterance',
            model.licence,
            model.languages.join(' '),
          ]),
        ),
      );
    });

const installCommand = (context: CliContext) =>
  new Command('install')
    .description('install the speech recognition of a language')
    .argument('<language>', 'such as `de`, the id of a model, or `all`')
    .addHelpText(
      'after',
      `
Agents with this language hear when it is done, without a restart, if their worker has the same DATA_DIR. Fetches files that Troupe
knows by their SHA-256, and continues an attempt that was cut off. SPEECH_MODELS_MIRROR names another address that has the files
under the same names. Needs Python 3: it runs the models, by the package sherpa-onnx (16 MB), which is installed with the first.

Examples:
  $ troupe speech install de`,
    )
    .action(async (language: string) => {
      const { DATA_DIR, SPEECH_MODELS_MIRROR: mirror } = await localSettings(context);
      const { speechModelsFor } = await import('../../speech-models/models.ts');
      const { installModel } = await import('../../speech-models/install-model.ts');
      const models = speechModelsFor(language);
      if (models.length === 0)
        throw new CliError(
          `There is no model for ${language}. \`troupe speech list\` lists them.`,
          2,
        );
      for (const model of models) {
        const bar = new ProgressBar(context, model.id);
        const onProgress = (share: number) => bar.update(share);
        const { signal } = context;
        try {
          await installModel(model, { dataDir: DATA_DIR, mirror, signal, onProgress });
        } finally {
          bar.end();
        }
      }
      const installed = models.map(({ id }) => id);
      print(context, { installed }, () => [
        `Installed ${installed.join(', ')}. Agents without \`stt\` hear with it now.`,
      ]);
    });
