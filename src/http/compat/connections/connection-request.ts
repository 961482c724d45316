import type { FastifyRequest } from 'fastify';
import { problem } from '../../../errors.ts';
import { locOf, valueAt } from '../field-paths.ts';
import type { CallOf } from '../opening.ts';
import { readVendorRequest, type VendorRequest } from '../vendor-request.ts';

const DEFAULT_RATE = 16_000;
const RATES = { min: 8_000, max: 48_000 };

/** Throws a 422 for invalid and missing fields. */
export function readConnection(
  call: CallOf<'connect'>,
  request: FastifyRequest,
): VendorRequest & { sampleRate: number } {
  const body = fieldsOf(call, request);
  const { field, is } = call.inRoom;
  const place = valueAt(body, field);
  if (place !== undefined && place !== is) {
    throw problem('value_error', locOf(field), `Input should be '${is}'`, place);
  }
  const isRoomKnown = place === undefined;
  const vendorRequest = readVendorRequest(
    call,
    { body, params: {} },
    { isRoomKnown, keyFields: [] },
  );
  return { ...vendorRequest, sampleRate: readRate(body, call.sampleRate) };
}

/** Parameters of the query, and the room token from its header. */
function fieldsOf({ room }: CallOf<'connect'>, { query, headers }: FastifyRequest): object {
  const fields = { ...(query as object) };
  if (!room || !('token' in room)) return fields;
  return { ...fields, [room.token]: headers[room.token] };
}

function readRate(body: object, path: string): number {
  const value = valueAt(body, path);
  if (value === undefined) return DEFAULT_RATE;
  const rate = Number(value);
  if (Number.isInteger(rate) && rate >= RATES.min && rate <= RATES.max) return rate;
  const text = `Input should be a sample rate between ${RATES.min} and ${RATES.max}`;
  throw problem('value_error', locOf(path), text, value);
}
