import { LogController, type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';

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
