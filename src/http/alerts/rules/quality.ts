import { IN_TIME_SECONDS } from '../../metrics/metric-counts.ts';
import { warning, type RuleGroup } from '../alert-rule.ts';
import { fasterThan, framesMissing, notInTime, share } from '../conditions.ts';

export const QUALITY: RuleGroup = {
  name: 'troupe-quality',
  rules: [
    {
      name: 'TroupeFramesMissing',
      ...warning,
      forMinutes: 5,
      limit: 22,
      ...framesMissing((rate) => `Sessions show ${rate} frames per second instead of 25.`),
      expr: (limit) => `min(troupe_frame_rate) < ${limit}`,
      advice: 'Give the workers more CPU time, or fewer WORKER_SLOTS.',
    },
    {
      name: 'TroupeLipsOutOfSync',
      ...warning,
      forMinutes: 10,
      limit: 0.05,
      ...share(notInTime('lips', '10m'), (part) => {
        return `${part} of speaking sessions show lips more than 80 ms late.`;
      }),
      comment: 'From 80 ms people notice.',
      expr: (
        limit,
      ) => `1 - sum(rate(troupe_av_offset_seconds_bucket{le="${IN_TIME_SECONDS.lips}"}[10m]))
  / sum(rate(troupe_av_offset_seconds_count[10m])) > ${limit}`,
      advice: 'Look at late frames and at the network between workers and media server.',
    },
    {
      name: 'TroupeAnswersSlow',
      ...warning,
      forMinutes: 15,
      limit: 0.05,
      ...share(notInTime('answers', '15m'), (part) => {
        return `${part} of answers begin later than three seconds after the user.`;
      }),
      expr: (limit) =>
        `histogram_quantile(${1 - limit}, sum by (le) (rate(troupe_answer_seconds_bucket{stage="first_audio"}[15m]))) > ${IN_TIME_SECONDS.answers}`,
      summary: '5 % of answers begin later than {{ $value | humanizeDuration }} after the user.',
      advice: 'Check which stage is slow: transcript, first token or first sound.',
    },
    {
      name: 'TroupeBotroomClientsSlow',
      ...warning,
      forMinutes: 10,
      limit: 25,
      ...fasterThan(
        'pictures_dropped',
        '10m',
        (perSecond) =>
          `${perSecond} pictures a second are dropped because clients of botrooms read too slowly.`,
      ),
      comment: 'The pictures of one session.',
      expr: (limit) => `sum(rate(troupe_botroom_pictures_dropped_total[10m])) > ${limit}`,
      advice: 'Ask the clients for a smaller picture or a better connection.',
    },
  ],
};
