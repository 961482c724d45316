/* Refuses bodies that are JSON and yet harm what handles them later. */
import type { FastifyInstance } from 'fastify';
import { problem } from '../../../errors.ts';
import { MAX_DEPTH } from '../../bodies/body-text.ts';
import { Echo } from './echo.ts';

type Finding = { type: string; msg: string; loc: (string | number)[] };

/** Call before any route is registered. */
export function refuseUnsafeBodies(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ body }) => {
    const finding = findUnsafe(body, MAX_DEPTH);
    if (!finding) return;
    const echo = new Echo();
    const loc = finding.loc.map((name) => (typeof name === 'string' ? echo.name(name) : name));
    throw problem(finding.type, ['body', ...loc], finding.msg, null);
  });
}

function findUnsafe(value: unknown, levels: number): Finding | null {
  // Databases and other programs replace a lone surrogate or fail on it.
  if (typeof value === 'string') return value.isWellFormed() ? null : { ...ILL_FORMED, loc: [] };
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return null;
  if (levels === 0) return { ...TOO_DEEP, loc: [] };
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      const finding = findUnsafe(item, levels - 1);
      if (finding) return within(at, finding);
    }
    return null;
  }
  for (const [name, inner] of Object.entries(value)) {
    const finding = unsafeName(name, inner) ?? findUnsafe(inner, levels - 1);
    if (finding) return within(name.toWellFormed(), finding);
  }
  return null;
}

/** Leaves out the path to a value that is nested too deeply: it is long and says nothing. */
const within = (name: string | number, finding: Finding): Finding =>
  finding.type === TOO_DEEP.type ? finding : { ...finding, loc: [name, ...finding.loc] };

/** Code that copies names one by one would change the prototype of all objects. */
function unsafeName(name: string, value: unknown): Finding | null {
  if (!name.isWellFormed()) return { ...ILL_FORMED, loc: [] };
  const isPrototype =
    name === '__proto__' ||
    (name === 'constructor' &&
      typeof value === 'object' &&
      value !== null &&
      Object.hasOwn(value, 'prototype'));
  return isPrototype
    ? { type: 'forbidden_name', msg: `The name ${name} is not allowed.`, loc: [] }
    : null;
}

const ILL_FORMED = {
  type: 'string_unicode',
  msg: 'Input should be valid Unicode, without lone surrogates.',
};

const TOO_DEEP = {
  type: 'too_deep',
  msg: `Input should not be nested over ${MAX_DEPTH} deep`,
};
