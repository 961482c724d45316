/*
 * Builds avatars from untrusted photos. Each build has its own process, at the lowest priority and
 * with an empty environment. The process is killed on excess time or memory, and on abort. All
 * that it gets and makes travels in messages: it writes no file.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#shared/clock.ts';
import { DECODER_FLAGS } from '#shared/process/decoder-process.ts';
import { MAX_BLOB_BYTES } from '#protocol/worker/blob-path.ts';
import { PICTURE_PROBLEMS } from '#protocol/pictures/picture-problems.ts';
import type { PhotoWishes } from './build.ts';
import type { PhotoAnswer, PhotoLimits, PhotoRequest } from './child-messages.ts';
import { PictureError } from './picture-error.ts';

export const PHOTO_LIMITS: PhotoLimits = {
  memoryMiB: 1536,
  processorMs: 60_000,
  withinMs: 600_000,
};

const MAIN = fileURLToPath(new URL('./child-process.ts', import.meta.url));
const LAST_WORDS = 2000;

/** The picture decoder is native code. */
const EXEC_ARGV = [...DECODER_FLAGS, '--allow-addons', '--disable-warning=SecurityWarning'];

/** The contents of the two files. */
type PhotoFiles = { bundle: Uint8Array; portrait: Uint8Array };

type ChildOptions = {
  signal: AbortSignal;
  onProgress: (share: number) => void;
  limits?: PhotoLimits;
};

/** Throws a PictureError, or the signal's reason. */
export async function buildInChild(
  picture: Uint8Array,
  wishes: PhotoWishes,
  { signal, onProgress, limits = PHOTO_LIMITS }: ChildOptions,
): Promise<PhotoFiles> {
  signal.throwIfAborted();
  const request: PhotoRequest = { picture, wishes, limits };
  const child = fork(MAIN, [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: EXEC_ARGV,
    env: {},
    serialization: 'advanced',
  });
  const closed = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  const isLate = Promise.withResolvers<never>();
  const cancel = systemClock.after(limits.withinMs, () =>
    isLate.reject(new PictureError('took_too_long')),
  );
  const isUnwanted = Promise.withResolvers<never>();
  const stop = () => isUnwanted.reject(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    const answering = answerOf(child, onProgress);
    // If the process has already exited, its `close` event reports why.
    child.send(request, () => {});
    return await Promise.race([answering, isLate.promise, isUnwanted.promise]);
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
    child.kill('SIGKILL');
    await closed;
  }
}

/** Resolves when the avatar is built. */
function answerOf(child: ChildProcess, onProgress: (share: number) => void): Promise<PhotoFiles> {
  const { promise, resolve, reject } = Promise.withResolvers<PhotoFiles>();
  const fail = (cause: unknown) => reject(new PictureError('build_failed', { cause }));
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS);
  });
  child.on('message', (message) => {
    if (!isAnswer(message)) return fail(new Error('the build process sent an invalid message'));
    switch (message.type) {
      case 'progress':
        return onProgress(message.share);
      case 'built':
        return resolve({ bundle: message.bundle, portrait: message.portrait });
      case 'refused':
        return reject(new PictureError(message.reason));
      case 'out_of_memory':
        return fail(new Error('the build process needed more memory than it may'));
    }
  });
  child.once('error', fail);
  child.once('close', (code, signal) =>
    fail(new Error(`the build process exited with ${signal ?? code}: ${words}`)),
  );
  // The caller may have stopped waiting.
  promise.catch(() => {});
  return promise;
}

/** The process has read an untrusted picture, so its messages are checked. */
function isAnswer(message: unknown): message is PhotoAnswer {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false;
  switch (message.type) {
    case 'progress':
      return 'share' in message && typeof message.share === 'number';
    case 'built':
      return (
        'bundle' in message &&
        isBlob(message.bundle) &&
        'portrait' in message &&
        isBlob(message.portrait)
      );
    case 'refused':
      return (
        'reason' in message &&
        typeof message.reason === 'string' &&
        message.reason in PICTURE_PROBLEMS
      );
    case 'out_of_memory':
      return true;
    default:
      return false;
  }
}

const isBlob = (value: unknown): boolean =>
  value instanceof Uint8Array && value.length <= MAX_BLOB_BYTES;
