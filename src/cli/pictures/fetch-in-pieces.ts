import type { Surroundings } from '../../clients/typescript/src/surroundings.ts';

const PIECE_BYTES = 64 * 1024;

/** Sends a body in pieces, and calls `onSent` with the share that has left, 0 to 1. */
export const fetchInPieces =
  (onSent: (share: number) => void): Surroundings['fetch'] =>
  async (url, init) => {
    const request = new Request(url, init);
    const body = inPieces(await request.bytes(), onSent);
    // The headers of the request name the boundary of a form.
    const upload = { ...init, headers: request.headers, body, duplex: 'half' };
    return fetch(url, upload);
  };

function inPieces(bytes: Uint8Array, onSent: (share: number) => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      onSent(at / bytes.length);
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
    },
  });
}
