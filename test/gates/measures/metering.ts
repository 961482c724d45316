/*
 * Counts executed WebAssembly instructions: before each basic block, its length is added to a
 * global that the module exports as `instructions`. The added instructions are not counted.
 */

const SECTION = { import: 2, global: 6, export: 7, code: 10 };
const I64 = 0x7e;
const MUTABLE = 1;
const [BLOCK, LOOP, IF, ELSE, END, BR, BR_IF, BR_TABLE, RETURN] = [
  0x02, 0x03, 0x04, 0x05, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
];
const BORDERS = new Set([BLOCK, LOOP, IF, ELSE, END, BR, BR_IF, BR_TABLE, RETURN]);

export function metered(module: Uint8Array): Uint8Array<ArrayBuffer> {
  const sections = sectionsOf(module);
  const find = (id: number) => sections.find((section) => section.id === id);
  const [exports, code] = [find(SECTION.export), find(SECTION.code)];
  if (!exports || !code) throw new Error('no export or code section');
  const globals = find(SECTION.global) ?? { id: SECTION.global, body: Uint8Array.of(0) };
  // Sections are ordered by id.
  if (!sections.includes(globals)) sections.splice(sections.indexOf(exports), 0, globals);
  const meter = countOf(globals.body) + importedGlobals(find(SECTION.import)?.body);
  globals.body = withOneMore(globals.body, [I64, MUTABLE, 0x42, 0, END]);
  const name = new TextEncoder().encode('instructions');
  exports.body = withOneMore(exports.body, [name.length, ...name, 3, ...unsigned(meter)]);
  code.body = meteredCode(code.body, meter);
  return Uint8Array.from([
    ...module.subarray(0, 8),
    ...sections.flatMap(({ id, body }) => [id, ...unsigned(body.length), ...body]),
  ]);
}

type Section = { id: number; body: Uint8Array };

class Reader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++]!;
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  take(length: number): Uint8Array {
    return this.bytes.subarray(this.at, (this.at += length));
  }
}

function sectionsOf(module: Uint8Array): Section[] {
  const reader = new Reader(module, 8);
  const sections: Section[] = [];
  while (reader.at < module.length) {
    sections.push({ id: reader.byte(), body: reader.take(reader.unsigned()) });
  }
  return sections;
}

const countOf = (body: Uint8Array) => new Reader(body).unsigned();

function withOneMore(body: Uint8Array, entry: number[]): Uint8Array {
  const reader = new Reader(body);
  const count = reader.unsigned();
  return Uint8Array.from([...unsigned(count + 1), ...body.subarray(reader.at), ...entry]);
}

function importedGlobals(body: Uint8Array | undefined): number {
  if (!body) return 0;
  const reader = new Reader(body);
  const count = reader.unsigned();
  for (let i = 0; i < count; i++) {
    reader.take(reader.unsigned());
    reader.take(reader.unsigned());
    const kind = reader.byte();
    // Our modules import only functions and a memory.
    if (kind === 0) reader.unsigned();
    else if (kind === 2) {
      const hasMost = (reader.byte() & 1) === 1;
      reader.unsigned();
      if (hasMost) reader.unsigned();
    } else throw new Error(`unsupported import of kind ${kind}`);
  }
  return 0;
}

function meteredCode(body: Uint8Array, meter: number): Uint8Array {
  const reader = new Reader(body);
  const count = reader.unsigned();
  const out = [...unsigned(count)];
  for (let i = 0; i < count; i++) {
    const length = reader.unsigned();
    const written = meteredFunction(reader.take(length), meter);
    out.push(...unsigned(written.length));
    for (const byte of written) out.push(byte);
  }
  return Uint8Array.from(out);
}

function meteredFunction(body: Uint8Array, meter: number): number[] {
  const reader = new Reader(body);
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    reader.unsigned();
    reader.byte();
  }
  const out = Array.from(body.subarray(0, reader.at));
  let run: number[] = [];
  let length = 0;
  const finish = () => {
    if (length > 0) {
      const index = unsigned(meter);
      out.push(0x23, ...index, 0x42, ...signed(length), 0x7c, 0x24, ...index);
    }
    for (const byte of run) out.push(byte);
    run = [];
    length = 0;
  };
  while (reader.at < body.length) {
    const from = reader.at;
    const opcode = reader.byte();
    skipImmediates(reader, opcode);
    for (const byte of body.subarray(from, reader.at)) run.push(byte);
    // `block`, `loop`, `else` and `end` execute nothing themselves.
    if (![BLOCK, LOOP, ELSE, END].includes(opcode)) length += 1;
    if (BORDERS.has(opcode)) finish();
  }
  finish();
  return out;
}

const isBetween = (value: number, from: number, to: number) => value >= from && value <= to;

function skipImmediates(reader: Reader, opcode: number) {
  if (isBetween(opcode, BLOCK, IF)) reader.unsigned();
  else if (opcode === BR || opcode === BR_IF || opcode === 0x10) reader.unsigned();
  else if (opcode === BR_TABLE) {
    for (let targets = reader.unsigned(); targets >= 0; targets--) reader.unsigned();
  } else if (opcode === 0x11) skip(reader, 2);
  else if (isBetween(opcode, 0x20, 0x26)) reader.unsigned();
  else if (isBetween(opcode, 0x28, 0x3e)) skip(reader, 2);
  else if (isBetween(opcode, 0x3f, 0x42)) reader.unsigned();
  else if (opcode === 0x43) reader.take(4);
  else if (opcode === 0x44) reader.take(8);
  else if (opcode === 0xfc) skipBulk(reader);
  else if (opcode === 0xfd) skipVector(reader);
  else if (!isPlain(opcode)) throw new Error(`unknown instruction ${opcode}`);
}

/** Instructions without immediates. */
const isPlain = (opcode: number) =>
  isBetween(opcode, 0, 1) ||
  [ELSE, END, RETURN, 0x1a, 0x1b].includes(opcode) ||
  isBetween(opcode, 0x45, 0xc4);

function skip(reader: Reader, count: number) {
  for (let i = 0; i < count; i++) reader.unsigned();
}

function skipBulk(reader: Reader) {
  const kind = reader.unsigned();
  if (kind === 10) skip(reader, 2);
  else if (kind === 11) skip(reader, 1);
  else if (kind > 7) throw new Error(`unknown instruction 0xfc ${kind}`);
}

function skipVector(reader: Reader) {
  const kind = reader.unsigned();
  if (isBetween(kind, 0, 11) || isBetween(kind, 92, 93)) skip(reader, 2);
  else if (isBetween(kind, 84, 91)) skip(reader, 3);
  else if (isBetween(kind, 12, 13)) reader.take(16);
  else if (isBetween(kind, 21, 34)) reader.take(1);
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(Math.floor(value / 128))];
}

function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
