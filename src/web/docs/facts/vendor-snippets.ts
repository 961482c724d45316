import type { Change, VendorAdapter } from '../../../http/compat/vendor-adapter.ts';
import type { Snippet } from '../../plugin/snippets.ts';

/** Code that connects a vendor's plugin to this service. */
export function vendorSnippets({ word, docs }: VendorAdapter, origin: string): Snippet[] {
  const { python, node, pipecat, environment } = docs;
  const address = `${origin}/compat/${word}`;
  const socket = address.replace(/^http/, 'ws');
  const snippets: Snippet[] = [];
  if (python) snippets.push({ name: 'Python', note: noteOn(python), code: inPython(python) });
  if (node) snippets.push({ name: 'Node', note: noteOn(node), code: inNode(node) });
  if (pipecat) {
    const note = `With ${pipecat.package}, unmodified. Nothing else in your pipeline changes.`;
    snippets.push({ name: 'Pipecat', note, code: inPipecat(pipecat) });
  }
  if (environment) {
    const note = 'Set these variables instead, and leave your program unchanged.';
    snippets.push({ name: 'Env', note, code: environment.map((line) => `\n+ ${line}`).join('') });
  }
  const fill = (code: string) =>
    code.replaceAll('{address}', address).replaceAll('{socket}', socket);
  return snippets.map((snippet) => ({ ...snippet, code: fill(snippet.code) }));
}

const noteOn = ({ package: name }: Change): string =>
  `With ${name}, unmodified. Nothing else in your agent changes.`;

const inPython = ({ package: name, code }: Change): string => {
  const from = name === 'livekit-agents' ? 'livekit.agents' : 'livekit.plugins';
  return `
  from ${from} import ${moduleOf(code)}

  avatar = ${spread(code, '    ')}
  await avatar.start(session, room=ctx.room)`;
};

const inNode = ({ package: name, code }: Change): string => {
  const module = moduleOf(code);
  const names = name === '@livekit/agents' ? `{ ${module} }` : `* as ${module}`;
  return `
  import ${names} from '${name}';

  const avatar = ${spread(code, '  ')};
  await avatar.start(session, ctx.room);`;
};

const inPipecat = ({ package: name, code }: Change): string => {
  const names = code.match(/[A-Z]\w+(?=\()/g) ?? [];
  return `
  from ${name.replaceAll('-', '_')} import ${names.join(', ')}

  avatar = ${spread(code, '    ')}
  pipeline = Pipeline([transport.input(), stt, llm, tts, avatar, transport.output()])`;
};

const moduleOf = (code: string): string => /(\w+)\.AvatarSession/.exec(code)?.[1] ?? '';

/** Splits a one-line call into one line per setting, and marks the settings to change. */
function spread(code: string, indent: string): string {
  const [head = ''] = /^(?:new )?(?:[\w.]+\()+(?:\{ )?/.exec(code) ?? [];
  const depth = head.match(/[({]/g)?.length ?? 0;
  const [tail = ''] = new RegExp(`(?: ?[)}]){${depth}}$`).exec(code) ?? [];
  const settings = code.slice(head.length, code.length - tail.length);
  const lines = partsOf(settings).map((setting) => {
    const isNew = /\{address\}|\{socket\}|YOUR_KEY/.test(setting);
    return `${isNew ? '+ ' : '  '}${indent}${setting},`;
  });
  return [head.trimEnd(), ...lines, `  ${tail.trimStart()}`].join('\n');
}

/** Splits at commas outside of brackets. */
function partsOf(settings: string): string[] {
  let depth = 0;
  let part = '';
  const parts: string[] = [];
  for (const letter of settings) {
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
    if (letter === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += letter;
  }
  return [...parts, part.trim()];
}
