/** Path where workers connect, with `Authorization: Bearer WORKER_TOKEN`. */
export const GATEWAY_PATH = '/worker-gateway';
