import { iconPaths, type IconName } from '../call/view/icon-paths.ts';

type Props = { name: IconName; isOff?: boolean };

export function Icon({ name, isOff = false }: Props) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={iconPaths[name]} />
      {isOff && <path className="icon-off" d="M4 4l16 16" />}
    </svg>
  );
}
