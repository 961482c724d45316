import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { GatewayMessage } from './worker/gateway-messages.ts';
import type { ProtocolRange } from './worker/protocol-version.ts';
import { WorkerMessage } from './worker/worker-messages.ts';

const workerMessage = Compile(WorkerMessage);
const gatewayMessage = Compile(GatewayMessage);
/** The fields that `register` has in every protocol version. */
const anyRegister = Compile(
  Type.Object({
    type: Type.Literal('register'),
    protocol: Type.Integer(),
    newestProtocol: Type.Optional(Type.Integer()),
  }),
);

/** A message on the worker socket does not match the protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

export function parseWorkerMessage(text: string): WorkerMessage {
  const value = parseJson(text);
  if (!workerMessage.Check(value)) throw new ProtocolError('not a worker message');
  return value;
}

export function parseGatewayMessage(text: string): GatewayMessage {
  const value = parseJson(text);
  if (!gatewayMessage.Check(value)) throw new ProtocolError('not a gateway message');
  return value;
}

/** Protocol versions in a `register` message of any version; null for other messages. */
export function protocolsOfRegister(text: string): ProtocolRange | null {
  const value = parseJson(text);
  if (!anyRegister.Check(value)) return null;
  return { oldest: value.protocol, newest: value.newestProtocol ?? value.protocol };
}

export const writeMessage = (message: WorkerMessage | GatewayMessage): string =>
  JSON.stringify(message);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause, which quotes the text.
    throw new ProtocolError('not JSON');
  }
}
