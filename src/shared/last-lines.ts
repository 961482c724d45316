import { writeSync } from 'node:fs';

/** The parts of sonic-boom 4.2 that its type leaves out. */
type Kept = {
  fd: number;
  flushSync: () => void;
  _writing: boolean;
  _writingBuf: string | Buffer;
  _bufs: string[];
  _len: number;
};

/** For a reader that is slow, not gone. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 10;

/**
 * Writes what is left at exit, and before a fatal error, for a second at most. sonic-boom tries
 * without end, and blocks the process meanwhile: it could never exit after its reader is gone, or
 * on a full disk.
 */
export function limitLastLines(output: object): void {
  const stream = output as Kept;
  stream.flushSync = () => {
    /* oxlint-disable no-underscore-dangle -- sonic-boom's own names */
    const isWriting = stream._writing;
    const buffers = isWriting ? stream._bufs : [stream._writingBuf, ...stream._bufs];
    writeInTime(stream.fd, Buffer.concat(buffers.map((each) => Buffer.from(each))));
    stream._bufs.length = 0;
    if (!isWriting) stream._writingBuf = '';
    stream._len = Buffer.byteLength(stream._writingBuf);
    /* oxlint-enable no-underscore-dangle */
  };
}

function writeInTime(fd: number, bytes: Buffer): void {
  const untilMs = performance.now() + PATIENCE_MS;
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EAGAIN' || performance.now() > untilMs) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
