/*
 * Sentences of users in the bench of turns. `|` marks a pause in the middle of one. None of the
 * sentences or voices is the agent's own.
 */

/** Each ends a turn. */
export const FINISHED = [
  'What time do you open on Saturday?',
  'I would like to book a table for tonight.',
  'Can I bring my dog?',
  'Yes, that works for me.',
  'How much is the large one?',
  'Please call me back tomorrow morning.',
  'No, thank you.',
  'Where can I park my car?',
  'I had a really bad day.',
  'Do you have anything without nuts?',
  'My name is Daniel Brown.',
  'The train leaves at half past nine.',
  'Okay, let us do that.',
  'Is there a discount for children?',
  'I want to return the blue jacket.',
  'Tell me more about the garden.',
] as const;

/** Each pause is inside a turn. The voices speak both parts, the first with a comma at its end. */
export const UNFINISHED = [
  'I would like to book a table for | four people on Friday evening.',
  'My number is | zero one seven, two three four.',
  'My number is zero one seven, | two three four, nine nine.',
  'Could you tell me whether the | museum is open on Monday?',
  'I am calling because my | washing machine does not work.',
  'We need a room with | two beds and a view of the lake.',
  'The thing is that I | bought it only two weeks ago.',
  'Do you know if the | next bus goes to the airport?',
  'I think we should | meet a little later in the day.',
  'She told me that your | office moved to the new building.',
  'It would be great if you | could send me the invoice.',
  'On Thursday I have to | work until seven in the evening.',
] as const;

/** Said while the agent speaks. */
export const ASIDES = [
  'Hmm.',
  'Yes.',
  'Okay.',
  'Right.',
  'I see.',
  'Yeah, yeah.',
  'Uh huh.',
  'Sure.',
  'Great.',
  'Got it.',
  'Oh, okay.',
  'Thank you.',
] as const;

export const INTERRUPTIONS = [
  'Stop.',
  'Wait.',
  'Hold on a second.',
  'What does that cost?',
  'No, I meant Sunday.',
  'Excuse me, can you repeat that?',
  'I have another question.',
  'That is wrong.',
  'How long does it take?',
  'But what about the children?',
  'Sorry, I have to go now.',
  'Can we talk about the price?',
] as const;

/** The agent's speech meanwhile, which the loudspeaker returns. */
export const AGENT_TEXT =
  'Our restaurant is open every day from noon until ten in the evening, and on Sundays we serve breakfast from nine in the morning. The garden behind the house has forty seats, and in summer you can sit there until sunset.';
