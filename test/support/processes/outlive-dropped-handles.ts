import { exitFailed } from '#shared/process/operator-error.ts';
import { onUncaught } from '#shared/process/uncaught.ts';
import { isOfDroppedHandle } from '../../../workers/runtime/dropped-handles.ts';

/** For programs with viewers and agents of their own. Any other error ends them. */
export function outliveDroppedHandles(): void {
  onUncaught((error) => {
    if (!isOfDroppedHandle(error)) exitFailed(error);
  });
}
