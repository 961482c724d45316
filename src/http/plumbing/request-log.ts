import { LogController, type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Log } from '#shared/log.ts';

/** Logs one line per request, when it completes. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    err: FastifyError | null | undefined,
    req: FastifyRequest,
    res: FastifyReply,
  ): void {
    const fields = { req, res, responseTime: res.elapsedTime };
    if (err) req.log.error({ ...fields, err }, 'request errored');
    else req.log.info(fields, 'request completed');
  }
}

/** `log` for the server: it shows requests without their query, which may hold a secret. */
export const withRequests = (log: Log): Log => log.child({}, { serializers: { req: toFields } });

const toFields = ({ method, url, host, ip, socket }: FastifyRequest) => ({
  method,
  url: pathOf(url),
  host,
  remoteAddress: ip,
  remotePort: socket.remotePort,
});

const pathOf = (url: string): string => url.replace(/\?.*$/s, '');
