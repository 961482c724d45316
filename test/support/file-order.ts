import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for a minute at little cost. Started last, each would run alone. */
const LONGEST = [
  'test/sessions/cluster/control-planes-without-records.test.ts',
  'test/sessions/cluster/control-planes.test.ts',
];

const isLong = ({ moduleId }: TestSpecification): boolean =>
  LONGEST.some((name) => moduleId.endsWith(name));

/** Larger files first, as Vitest does without earlier results, but the longest before them. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
