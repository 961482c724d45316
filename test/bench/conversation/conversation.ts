import type { Tools } from '../bench.ts';
import type { Row } from '../report/row.ts';
import { speechParts } from '../../support/sound/speech-parts.ts';
import { answers } from './answers.ts';
import { installs } from './installs.ts';
import { turns } from './turns.ts';

export async function conversation({ say }: Tools): Promise<Row[]> {
  if (!speechParts)
    throw new Error('set TROUPE_SPEECH_PARTS: see test/support/sound/install-speech-parts.ts');
  return [
    ...(await installs()),
    ...(await turns(speechParts, say)),
    ...(await answers(speechParts, say)),
  ];
}
