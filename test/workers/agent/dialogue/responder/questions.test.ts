import { expect, test } from 'vitest';
import { answersTo, figuresOf } from './judging.ts';
import { LATER_RESTAURANT, LATER_SHOP, LATER_WORKSHOP } from './later-questions.ts';
import { RESTAURANT, SHOP, WORKSHOP } from './questions.ts';

test.each([
  ['first', RESTAURANT, WORKSHOP, SHOP],
  ['later', LATER_RESTAURANT, LATER_WORKSHOP, LATER_SHOP],
])(
  'at least 45 of 60 questions are answered rightly, and none wrongly: %s',
  async (_when, ofRestaurant, ofWorkshop, ofShop) => {
    const answers = await Promise.all([
      answersTo('restaurant.md', ofRestaurant),
      answersTo('workshop.txt', ofWorkshop),
      answersTo('shop.md', ofShop),
    ]);

    const { right, refused, wrong } = figuresOf(answers.flat());

    expect(right + refused + wrong).toBe(60);
    expect(wrong).toBe(0);
    expect(right).toBeGreaterThanOrEqual(45);
  },
);
