/** Where workers connect, under the control plane's address; with `Authorization: Bearer WORKER_TOKEN`. */
export const GATEWAY_PATH = '/worker-gateway';
