/* Receives traces by OTLP over HTTP, as protobuf, and keeps their spans. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { proto3, ScalarType, type MessageType } from '@bufbuild/protobuf';
import { until } from './until.ts';
import { listen } from './loopback.ts';

export type ReceivedSpan = {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for a root. */
  parentSpanId: string;
  name: string;
  kind: number;
  /** Milliseconds since the epoch. */
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
  events: string[];
  /** Trace ids. */
  links: string[];
  error: string | null;
};

type Field = [no: number, name: string, type: ScalarType | MessageType];

const message = (name: string, ...fields: (Field | [...Field, 'repeated'])[]) =>
  proto3.makeMessageType(
    name,
    () =>
      fields.map(([no, name, T, repeated]) => ({
        no,
        name,
        ...(typeof T === 'number'
          ? { kind: 'scalar' as const, T }
          : { kind: 'message' as const, T }),
        ...(repeated && { repeated: true }),
      })) as never,
  );

const { STRING, BYTES, BOOL, INT64, DOUBLE, FIXED64, INT32 } = ScalarType;
const AnyValue = message(
  'AnyValue',
  [1, 'string', STRING],
  [2, 'bool', BOOL],
  [3, 'int', INT64],
  [4, 'double', DOUBLE],
);
const KeyValue = message('KeyValue', [1, 'key', STRING], [2, 'value', AnyValue]);
const Event = message('Event', [1, 'time', FIXED64], [2, 'name', STRING]);
const Link = message('Link', [1, 'trace_id', BYTES], [2, 'span_id', BYTES]);
const Status = message('Status', [2, 'message', STRING], [3, 'code', INT32]);
const Span = message(
  'Span',
  [1, 'trace_id', BYTES],
  [2, 'span_id', BYTES],
  [4, 'parent_span_id', BYTES],
  [5, 'name', STRING],
  [6, 'kind', INT32],
  [7, 'start', FIXED64],
  [8, 'end', FIXED64],
  [9, 'attributes', KeyValue, 'repeated'],
  [11, 'events', Event, 'repeated'],
  [13, 'links', Link, 'repeated'],
  [15, 'status', Status],
);
const Scope = message('ScopeSpans', [2, 'spans', Span, 'repeated']);
const Resource = message('Resource', [1, 'attributes', KeyValue, 'repeated']);
const ResourceSpans = message(
  'ResourceSpans',
  [1, 'resource', Resource],
  [2, 'scopes', Scope, 'repeated'],
);
const Request = message('Request', [1, 'resources', ResourceSpans, 'repeated']);

/* oxlint-disable-next-line typescript/no-explicit-any -- messages made above have no types */
type Decoded = any;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const ms = (nanoseconds: bigint) => Number(nanoseconds) / 1e6;

const attributesOf = (list: Decoded[]): Record<string, unknown> =>
  Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.string || value.double || (value.int ? Number(value.int) : value.bool),
    ]),
  );

function spansOf(body: Uint8Array): ReceivedSpan[] {
  const { resources } = Request.fromBinary(body) as Decoded;
  return resources.flatMap(({ resource, scopes }: Decoded) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopes.flatMap(({ spans }: Decoded) =>
      spans.map((span: Decoded) => ({
        service,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        name: span.name,
        kind: span.kind,
        startMs: ms(span.start),
        endMs: ms(span.end),
        attributes: attributesOf(span.attributes),
        events: span.events.map(({ name }: Decoded) => name),
        links: span.links.map(({ traceId }: Decoded) => hex(traceId)),
        error: span.status?.code === 2 ? span.status.message : null,
      })),
    );
  });
}

/** `status`: answers with it instead of accepting. */
export async function startOtlpReceiver({ status = 200 } = {}) {
  const spans: ReceivedSpan[] = [];
  const requests: { url: string; headers: Record<string, unknown> }[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    requests.push({ url: request.url ?? '', headers: request.headers });
    if (status === 200) spans.push(...spansOf(body));
    response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    spans,
    requests,
    /** Resolves when a span with this name has arrived. */
    async received(name: string): Promise<ReceivedSpan> {
      await until(() => spans.some((span) => span.name === name));
      return spans.find((span) => span.name === name)!;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
