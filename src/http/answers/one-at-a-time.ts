/*
 * A client may send further requests before it has read the first answer (HTTP/1.1 pipelining).
 * Each of them would be worked on at once, and each answer kept until it is read. So a connection
 * has one request at work; few others wait, and none of a client that does not read.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestTurns } from '../limits/request-turns.ts';

/** More than programs pipeline. Any further ones are dropped: a client has to repeat them. */
const MAX_WAITING = 20;
/** Node keeps dropped requests until the answer before them ends. */
const MAX_DROPPED = 100;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;
type Turn = { request: IncomingMessage; response: ServerResponse };
type Options = {
  /** Decides when a request starts. */
  turns: Pick<RequestTurns, 'take'>;
  /** A client that takes nothing of its answer for so long is disconnected. */
  takenWithinMs: number;
};
type Connection = { waiting: Turn[]; dropped: number };

/** Call after the handler of requests has been added. */
export function answerOneAtATime(server: Server, { turns, takenWithinMs }: Options): void {
  const handlers = server.listeners('request') as Handle[];
  server.removeAllListeners('request');
  const connections = new WeakMap<Socket, Connection>();

  const start = (connection: Connection, { request, response }: Turn): void => {
    dropIfNotTaken(response, takenWithinMs);
    response.once('close', () => {
      const nextTurn = connection.waiting.shift();
      if (nextTurn && !request.socket.destroyed) start(connection, nextTurn);
      else connections.delete(request.socket);
    });
    turns.take(request, () => {
      for (const handle of handlers) handle.call(server, request, response);
    });
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection) {
      const idle = { waiting: [], dropped: 0 };
      connections.set(socket, idle);
      return start(idle, { request, response });
    }
    if (connection.waiting.length === MAX_WAITING || connection.dropped > 0) {
      connection.dropped += 1;
      if (connection.dropped > MAX_DROPPED) socket.destroy();
      return;
    }
    connection.waiting.push({ request, response });
    // Later requests are not answered; the connection ends with the last answer.
    if (connection.waiting.length === MAX_WAITING) response.setHeader('connection', 'close');
  });
}

/** Node calls back only if not a byte was taken in the meantime. */
function dropIfNotTaken(response: ServerResponse, withinMs: number): void {
  response.setTimeout(withinMs, () => {
    const { socket } = response;
    if (socket && socket.writableLength > 0) socket.destroy();
    // The handler is still at work.
    else socket?.setTimeout(withinMs);
  });
}
