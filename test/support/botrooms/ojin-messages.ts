/* Ojin's messages as its published client writes and reads them. */

/** Speech: mono PCM. */
export function ojinSpeech(pcm: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt8(1, 0);
  header.writeBigUInt64BE(1_000n, 1);
  return Buffer.concat([header, pcm]);
}

export const ojinText = (type: string): Buffer =>
  Buffer.from(JSON.stringify({ type, payload: { timestamp: 1_000 } }));

const KINDS = ['idle', 'speech', 'fading', 'firstSpeech'];

export type ReadFrame = {
  kind: string | undefined;
  interaction: string;
  at: number;
  image: Buffer | null;
  audio: Buffer | null;
};

export function readFrame(frame: Buffer): ReadFrame {
  const entries: { type: number; bytes: Buffer }[] = [];
  let at = 37;
  for (let i = 0; i < frame.readUInt32BE(33); i++) {
    const length = frame.readUInt32BE(at);
    entries.push({ type: frame.readUInt8(at + 4), bytes: frame.subarray(at + 5, at + 5 + length) });
    at += 5 + length;
  }
  const of = (type: number) => entries.find((entry) => entry.type === type)?.bytes ?? null;
  return {
    kind: KINDS[frame.readUInt8(at)],
    interaction: frame.toString('hex', 1, 17),
    at: Number(frame.readBigUInt64BE(17)),
    image: of(2),
    audio: of(1),
  };
}
