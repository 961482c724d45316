import { existsSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '#shared/process/operator-error.ts';
import { recordsPlace, type Config } from '../../config.ts';
import { openDatabase, recordsFile, type Database } from '../../records/engine/database.ts';

/**
 * For commands that mean a service which has been started before. Throws if DATA_DIR holds no
 * records, so that a command in the wrong folder does not create empty ones.
 */
export function openExistingRecords(settings: Config): Database {
  const place = recordsPlace(settings);
  if ('dataDir' in place && !existsSync(recordsFile(place.dataDir))) {
    throw new OperatorError(
      `There are no records in ${path.resolve(place.dataDir)}: run this command in the folder of the service, or set DATA_DIR to its data folder. \`troupe doctor\` finds a service that runs on this machine. Before the first start there are no records.`,
    );
  }
  return openDatabase(place);
}
