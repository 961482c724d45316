import { Command, InvalidArgumentError } from 'commander';
import type { Agent } from '../../clients/typescript/src/generated/models.ts';
import { serviceApi } from '../api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { readCount, readPairs } from '../option-values.ts';
import { fields, print, table } from '../printing.ts';

type Limits = Agent['limits'];
type Unit = keyof Limits['call'];
/** Null restores the default. */
type Amounts = Partial<Record<Unit, number | null>>;
type LimitsOptions = { call?: Amounts; day?: Amounts; linkDay?: Amounts; texts?: number };

const UNITS: Unit[] = ['model_tokens', 'speech_characters', 'seconds'];

export const limitsCommand = (context: CliContext) =>
  new Command('limits')
    .description('show or set what the calls of an agent may cost')
    .argument('<id>', 'id of the agent')
    .option('--call <unit=amount>', 'budget of one call', readAmounts)
    .option('--day <unit=amount>', 'budget of all calls in a day (UTC)', readAmounts)
    .option('--link-day <unit=amount>', 'budget of the calls by its link in a day', readAmounts)
    .option('--texts <count>', 'texts that one visitor may type in ten minutes', readCount)
    .addHelpText(
      'after',
      `
Units are ${UNITS.join(', ')}. Repeat an option for more units; the amount \`default\` restores the default.

Examples:
  $ troupe agent limits 0192f0c1-7a3e-7b52-9d53-0c6f1b1f6f11
  $ troupe agent limits 0192f0c1-7a3e-7b52-9d53-0c6f1b1f6f11 --link-day model_tokens=500000 --call seconds=600`,
    )
    .action(async (id: string, options: LimitsOptions) => {
      const troupe = await serviceApi(context);
      if (Object.keys(options).length > 0) {
        const { limits } = await troupe.agents.retrieve(id);
        await troupe.agents.update(id, { limits: merged(limits, options) });
      }
      const { limits } = await troupe.agents.retrieve(id);
      print(context, limits, () => [
        ...table([
          ['BUDGET', ...UNITS.map((unit) => unit.replaceAll('_', ' ').toUpperCase())],
          ...(['call', 'day', 'link_day'] as const).map((budget) => [
            budget,
            ...UNITS.map((unit) => String(limits[budget][unit])),
          ]),
        ]),
        ...fields([['texts in ten minutes', String(limits.texts_per_ten_minutes)]]),
      ]);
    });

/** The service gives what is omitted its default. */
const merged = (limits: Limits, { call, day, linkDay, texts }: LimitsOptions) => ({
  call: { ...limits.call, ...call },
  day: { ...limits.day, ...day },
  link_day: { ...limits.link_day, ...linkDay },
  texts_per_ten_minutes: texts ?? limits.texts_per_ten_minutes,
});

/** `unit=amount`, repeated. */
function readAmounts(text: string, earlierAmounts: Amounts = {}): Amounts {
  const [[name, amount] = ['', '']] = Object.entries(readPairs(text));
  const unit = UNITS.find((each) => each === name);
  if (!unit) throw new InvalidArgumentError(`Units are ${UNITS.join(', ')}.`);
  return { ...earlierAmounts, [unit]: amount === 'default' ? null : readCount(amount) };
}
