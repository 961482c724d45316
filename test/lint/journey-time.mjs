/*
 * The rule for journeys: they judge behaviour, never time. A busy machine is slow, so a journey
 * that measures or that waits for a fixed time fails there, or proves nothing.
 */
const message =
  'A journey judges behaviour: wait for what happens, with `until`. Time belongs in a bench (npm run bench).';

/** By object: methods that read a clock or wait for a fixed time. */
const methods = {
  performance: ['now'],
  Date: ['now'],
  process: ['hrtime'],
  systemClock: ['now', 'elapsed', 'after', 'every'],
  Atomics: ['wait', 'waitAsync'],
};
const functions = ['setTimeout', 'setInterval', 'delay'];
const modules = ['node:timers', 'node:timers/promises', 'node:perf_hooks'];
/** A method of Playwright's pages. */
const ANYWHERE = 'waitForTimeout';

export const journeyTime = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const report = (node) => context.report({ node, message });
    return {
      MemberExpression(node) {
        const name = node.property.name ?? node.property.value;
        if (name === ANYWHERE) return report(node);
        // `globalThis.performance.now` as well.
        const object = node.object.name ?? node.object.property?.name;
        if (Object.hasOwn(methods, object) && methods[object].includes(name)) report(node);
      },
      CallExpression(node) {
        if (functions.includes(node.callee.name)) report(node);
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node);
      },
      ImportDeclaration(node) {
        if (modules.includes(node.source.value)) report(node);
      },
    };
  },
};
