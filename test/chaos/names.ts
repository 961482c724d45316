import { FIRST_AVATAR } from '../support/cast.ts';
export const API_KEY = 'key-of-the-first-account';
export const OPERATOR_KEY = 'key-of-the-operator';
export const WORKER_TOKEN = 'a token that workers know';
export const AVATAR = FIRST_AVATAR.id;
