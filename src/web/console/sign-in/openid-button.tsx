import { Problem } from '../parts/states.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';

/** Leaves for the OpenID provider. `link`: the code of a link that is used there. */
export function OpenidButton({ label, link }: { label: string; link?: string }) {
  const start = useWrite(async () => {
    const body = link === undefined ? {} : { link };
    const { url } = await call<{ url: string }>('POST', '/console/api/openid/start', body);
    location.assign(url);
  }, []);
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={start.isPending}
        onClick={() => start.mutate()}
      >
        {label}
      </button>
      {start.error && <Problem error={start.error} />}
    </>
  );
}
