export const API_KEY = 'key-of-the-first-account';
export const OPERATOR_KEY = 'key-of-the-operator';
export const WORKER_TOKEN = 'a token that workers know';
/** Id of the avatar Nora. */
export const AVATAR = '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401';
