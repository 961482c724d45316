import { SERVICE } from '../compose/service-address.ts';

export type ApiRequest = {
  method: string;
  path: string;
  /** The header that permits it, with a variable of the shell as value. */
  header: readonly [name: string, before: string, variable: string] | null;
  body?: unknown;
  /** Form fields; a value that begins with @ is a file. */
  form?: Record<string, string>;
  /** The name of a file whose bytes are the body. */
  file?: string;
};

/** The request in three languages, as tabs. */
export function requestSamples(request: ApiRequest): string {
  return [
    '::: tabs',
    fence('sh', 'curl', curl(request)),
    fence('python', 'Python', python(request)),
    fence('ts', 'Node', node(request)),
    ':::',
  ].join('\n');
}

const BYTES = 'application/octet-stream';

const fence = (language: string, tab: string, text: string): string =>
  `\`\`\`${language} tab="${tab}"\n${text}\n\`\`\``;

function curl({ method, path, header, body, form, file }: ApiRequest): string {
  const parts = [`curl${method === 'GET' ? '' : ` -X ${method}`} '${SERVICE}${path}'`];
  if (header) parts.push(`-H "${header[0]}: ${header[1]}$${header[2]}"`);
  if (body !== undefined)
    parts.push(`-H 'content-type: application/json'`, `-d '${JSON.stringify(body)}'`);
  for (const [name, value] of Object.entries(form ?? {})) parts.push(`-F '${name}=${value}'`);
  if (file) parts.push(`-H 'content-type: ${BYTES}'`, `--data-binary @${file}`);
  return parts.join(' \\\n  ');
}

function python({ method, path, header, body, form, file }: ApiRequest): string {
  const lines = ['import os', '', 'import requests', '', `response = requests.request(`];
  lines.push(`    "${method}",`, `    "${SERVICE}${path}",`);
  const headers = [
    header && `"${header[0]}": ${header[1] ? `"${header[1]}" + ` : ''}os.environ["${header[2]}"]`,
    file && `"content-type": "${BYTES}"`,
  ].filter(Boolean);
  if (headers.length > 0) lines.push(`    headers={${headers.join(', ')}},`);
  if (file) lines.push(`    data=open("${file}", "rb"),`);
  if (body !== undefined) lines.push(`    json=${inPython(body)},`);
  if (form) {
    const entries = Object.entries(form);
    const files = entries.filter(([, value]) => value.startsWith('@'));
    const texts = entries.filter(([, value]) => !value.startsWith('@'));
    if (texts.length > 0) lines.push(`    data=${inPython(Object.fromEntries(texts))},`);
    const opened = files.map(([name, value]) => `"${name}": open("${value.slice(1)}", "rb")`);
    if (opened.length > 0) lines.push(`    files={${opened.join(', ')}},`);
  }
  return [...lines, ')', 'response.raise_for_status()', 'print(response.text)'].join('\n');
}

/** JSON as Python writes it. */
function inPython(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(inPython).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${inPython(each)}`,
  );
  return `{${entries.join(', ')}}`;
}

function node({ method, path, header, body, form, file }: ApiRequest): string {
  const headers = [
    header &&
      `'${header[0]}': ${header[1] ? `\`${header[1]}\${process.env.${header[2]}}\`` : `process.env.${header[2]} ?? ''`}`,
    body !== undefined && `'content-type': 'application/json'`,
    file && `'content-type': '${BYTES}'`,
  ].filter(Boolean);
  const lines: string[] = [];
  if (form || file) lines.push(`import { openAsBlob } from 'node:fs';`, '');
  if (form) {
    lines.push('const form = new FormData();');
    for (const [name, value] of Object.entries(form)) {
      const content = value.startsWith('@')
        ? `await openAsBlob('${value.slice(1)}')`
        : `'${value}'`;
      lines.push(`form.append('${name}', ${content});`);
    }
  }
  lines.push(`const response = await fetch('${SERVICE}${path}', {`, `  method: '${method}',`);
  if (headers.length > 0) lines.push(`  headers: { ${headers.join(', ')} },`);
  if (form) lines.push('  body: form,');
  if (file) lines.push(`  body: await openAsBlob('${file}'),`);
  if (body !== undefined)
    lines.push(
      `  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`,
    );
  return [
    ...lines,
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    'console.log(await response.text());',
  ].join('\n');
}
