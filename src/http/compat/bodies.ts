import type { FastifyInstance } from 'fastify';
import { problem } from '../../errors.ts';
import { parseJson } from '../bodies/body-text.ts';
import type { Bodies } from '../bodies/bodies.ts';
import { readForms, readJson, readUrlEncoded, refuseOthers } from '../bodies/parsers.ts';
import type { Call } from './vendor-adapter.ts';

/** Plugins send JSON, forms, forms with a picture, and empty bodies labelled as JSON or bytes. */
export function readVendorBodies(app: FastifyInstance, bodies: Bodies, call: Call): void {
  const jsonField = call.does === 'open' ? call.jsonField : undefined;
  app.removeAllContentTypeParsers();
  readJson(app, bodies, { mayBeEmpty: true });
  readUrlEncoded(app, bodies);
  readForms(app, bodies, (form) => {
    if (jsonField === undefined) return form;
    const { [jsonField]: json, ...otherFields } = form;
    return { ...readJsonField(json, jsonField), ...otherFields };
  });
  refuseOthers(app, 'The content type of the body is not supported.');
}

function readJsonField(text: unknown, name: string): object {
  try {
    const value = parseJson(String(text));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw problem('json_invalid', ['body', name], 'Input should be a JSON object', null);
}
