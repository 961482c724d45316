import { describe, expect, test } from 'vitest';
import OpenAI from 'openai';
import { createWithoutRefusedPictures } from '../../../../workers/agent/sight/picture-refusal.ts';

type Request = OpenAI.ChatCompletionCreateParamsStreaming;

const image_url = { url: 'data:image/jpeg;base64,AAAA' };
const request: Request = {
  model: 'small',
  stream: true,
  messages: [
    { role: 'system', content: 'Be kind.' },
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url },
        { type: 'text', text: 'What do I hold?' },
      ],
    },
  ],
};
const plain: Request = {
  ...request,
  messages: [request.messages[0]!, { role: 'user', content: 'What do I hold?' }],
};

/** A server that answers pictures, and all requests, with these statuses. */
async function ask(sent: Request, { pictures = 200, all = 200, message = 'no' }) {
  const requests: Request[] = [];
  const refused: number[] = [];
  const answer = createWithoutRefusedPictures(
    sent,
    async (received) => {
      requests.push(received);
      const status = JSON.stringify(received).includes('image_url') ? pictures : all;
      if (status !== 200) throw OpenAI.APIError.generate(status, {}, message, new Headers());
      return 'A lamp.';
    },
    (status) => refused.push(status),
  );
  return {
    answer: await answer.catch((error: Error) => error.constructor.name),
    requests,
    refused,
  };
}

describe('a question with a picture', () => {
  test('is asked once if the model takes it', async () => {
    expect(await ask(request, {})).toEqual({ answer: 'A lamp.', requests: [request], refused: [] });
  });

  test.each([400, 404, 415, 422])(
    'is asked again without it after status %i, which is told',
    async (status) => {
      expect(await ask(request, { pictures: status })).toEqual({
        answer: 'A lamp.',
        requests: [request, plain],
        refused: [status],
      });
    },
  );

  test.each([
    ['image input is not supported - hint: you may need to provide the mmproj', [500]],
    ['internal error', []],
  ])(
    'is asked again after the error of a server, a refusal if it says so: %s',
    async (message, refused) => {
      expect(await ask(request, { pictures: 500, message })).toEqual({
        answer: 'A lamp.',
        requests: [request, plain],
        refused,
      });
    },
  );

  test('is no refusal if the question fails without it, too', async () => {
    expect(await ask(request, { pictures: 400, all: 400 })).toEqual({
      answer: 'BadRequestError',
      requests: [request, plain],
      refused: [],
    });
  });

  test.each([
    [401, 'AuthenticationError'],
    [429, 'RateLimitError'],
    [503, 'InternalServerError'],
  ])('is not asked again after status %i', async (status, answer) => {
    expect(await ask(request, { pictures: status, all: status })).toMatchObject({
      answer,
      requests: [request],
      refused: [],
    });
  });
});

test('a question without a picture that fails is not asked again', async () => {
  expect(await ask(plain, { all: 400 })).toMatchObject({ requests: [plain], refused: [] });
});
