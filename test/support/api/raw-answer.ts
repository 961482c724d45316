import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends `text` as it is. Resolves with the whole answer once the server closes the connection. */
export async function rawAnswer(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}
