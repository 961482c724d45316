import { graph, type Dashboard } from './dashboard.ts';
import { quantile, quantiles, rate } from './promql.ts';

const ANSWER = 'troupe_answer_seconds';

export const CONVERSATION: Dashboard = {
  uid: 'troupe-conversation',
  title: 'Troupe: conversation',
  panels: [
    graph(
      'Time to the first sound of an answer',
      'From the end of the user’s speech.',
      's',
      quantiles(ANSWER, 'stage="first_audio"'),
    ),
    graph('Stages of an answer, median', 'Recognition, model, voice and face.', 's', {
      '{{stage}}': quantile(0.5, ANSWER, '', 'le, stage'),
    }),
    graph('Answers', 'All managed agents together.', 'ops', {
      answers: rate(`${ANSWER}_count{stage="first_audio"}`),
    }),
    graph(
      'Time until the agent joined',
      'From the record of the call.',
      's',
      quantiles('troupe_session_start_seconds', 'phase="agent"'),
    ),
    graph('Conversations', 'Slots of agent workers by state.', 'short', {
      '{{state}} ({{pool}})': 'max by (state, pool) (troupe_slots{kind="agent"})',
    }),
    graph('Lost agent workers', 'Conversations that needed another worker.', 'ops', {
      lost: rate('troupe_failovers_total{kind="agent"}'),
    }),
    graph('Lips behind the voice', 'At the worker; 80 ms is visible.', 's', {
      ...quantiles('troupe_av_offset_seconds', ''),
    }),
    graph('Calls refused', 'No agent worker had a slot.', 'ops', {
      '{{reason}}': rate('troupe_rejections_total', 'reason'),
    }),
    graph('Cost of calls', 'Model tokens and spoken characters, by minute.', 'short', {
      '{{unit}}': `${rate('troupe_call_spending_total{unit!="seconds"}', 'unit')} * 60`,
    }),
    graph('Budgets used up', 'In the last hour, by budget and unit.', 'short', {
      '{{budget}}, {{unit}}':
        'sum by (budget, unit) (increase(troupe_budgets_reached_total[1h])) > 0',
    }),
  ],
};
