import { LogController, type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';

/** One line for each request, when it is answered: what was asked, what was said, how long it took. */
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
