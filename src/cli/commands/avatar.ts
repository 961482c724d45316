import path from 'node:path';
import { Command } from 'commander';
import { delay } from '#shared/clock.ts';
import type { Avatar, AvatarRequest } from '../../clients/typescript/src/generated/models.ts';
import { listNewest, serviceApi } from '../api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../exit-codes.ts';
import { readCount } from '../option-values.ts';
import { fetchInPieces } from '../pictures/fetch-in-pieces.ts';
import { readPicture, writePicture } from '../pictures/picture-file.ts';
import { fields, print, table } from '../printing.ts';
import { ProgressBar } from '../progress-bar.ts';

const POLL_MS = 1_000;
/** The upload of a large picture over a slow line may take this long. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

export const avatarCommand = (context: CliContext) =>
  new Command('avatar')
    .description('faces: list and view them, create one from a photo')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(sheetCommand(context));

type CreateOptions = { consent: string; name?: string; background: string; wait: boolean };

const createCommand = (context: CliContext) =>
  new Command('create')
    .description('create an avatar from a photo and wait until it is ready')
    .argument(
      '<photo>',
      'picture file (JPEG, PNG, WebP, HEIC, AVIF, GIF, TIFF) with one face, seen from the front',
    )
    .requiredOption('--consent <text>', 'statement that the person in the picture consents')
    .option('--name <name>', 'name of the avatar; default: name of the file')
    .option('--background <value>', 'blur, or a colour as #rrggbb', 'blur')
    .option('--no-wait', 'do not wait until it is built')
    .addHelpText(
      'after',
      `
The consent is stored with the avatar, the time and the API key.

Examples:
  $ troupe avatar create ada.jpg --consent 'Ada agreed in her contract of 3 May'
  $ troupe avatar create ada.jpg --consent '...' --background '#224466' --json`,
    )
    .action(async (photo: string, options: CreateOptions) => {
      const { consent, name = path.parse(photo).name, background, wait } = options;
      const picture = await readPicture(photo);
      const newAvatar = await upload(context, { name, picture, consent, background });
      const avatar = wait ? await untilBuilt(context, newAvatar) : newAvatar;
      if (avatar.status === 'failed') {
        throw new CliError(`The photo cannot be used (${avatar.reason}): ${avatar.advice}`);
      }
      print(context, avatar, () =>
        fields([
          ['id', avatar.id],
          ['status', avatar.status],
          ['picture', avatar.picture],
        ]),
      );
    });

const listCommand = (context: CliContext) =>
  new Command('list')
    .description('list avatars: built-in ones, then your own')
    .option('--limit <count>', 'how many', readCount, 50)
    .addHelpText('after', '\nExamples:\n  $ troupe avatar list')
    .action(async ({ limit }: { limit: number }) => {
      const troupe = await serviceApi(context);
      const avatars = await listNewest(limit, (query) => troupe.avatars.list(query));
      print(context, { data: avatars }, () =>
        table([
          ['ID', 'NAME', 'STATUS'],
          ...avatars.map(({ id, name, status, progress }) => [
            id,
            name,
            status === 'building' ? `building, ${progress} %` : status,
          ]),
        ]),
      );
    });

const sheetCommand = (context: CliContext) =>
  new Command('sheet')
    .description('save a picture of its mouth shapes, eyes and expressions')
    .argument('<id>', 'id or name of the avatar')
    .option('--output <file>', 'JPEG file; default: the id with .jpg')
    .addHelpText(
      'after',
      '\nExamples:\n  $ troupe avatar sheet nora\n  $ troupe avatar sheet nora --output nora-sheet.jpg',
    )
    .action(async (id: string, { output = `${id}.jpg` }: { output?: string }) => {
      const troupe = await serviceApi(context);
      const { picture, tiles } = await troupe.avatars.sheet(id);
      await writePicture(output, Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64'));
      print(context, { file: output, tiles }, () => [`Saved ${output}: ${tiles.join(', ')}`]);
    });

async function upload(context: CliContext, request: AvatarRequest): Promise<Avatar> {
  const bar = new ProgressBar(context, 'Uploading');
  const send = fetchInPieces((share) => bar.update(share));
  const troupe = await serviceApi(context, send);
  try {
    return await troupe.avatars.create(request, { timeoutMs: UPLOAD_TIMEOUT_MS });
  } finally {
    bar.end();
  }
}

async function untilBuilt(context: CliContext, draft: Avatar): Promise<Avatar> {
  const bar = new ProgressBar(context, 'Building');
  const troupe = await serviceApi(context);
  try {
    for (let avatar = draft; ; avatar = await troupe.avatars.retrieve(draft.id)) {
      bar.update(avatar.status === 'ready' ? 1 : (avatar.progress ?? 0) / 100);
      if (avatar.status !== 'building') return avatar;
      await delay(context.clock, POLL_MS, context.signal);
    }
  } finally {
    bar.end();
  }
}
