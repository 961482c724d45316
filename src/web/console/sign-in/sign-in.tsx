import './sign-in.css';
import { useEffect, useState } from 'react';
import mark from '../../favicon.svg';
import { Code } from '../parts/code.tsx';
import { Loading, Problem, Reading } from '../parts/states.tsx';
import type { Me } from '../service/me.ts';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';
import { Heading } from './heading.tsx';
import { LinkForm } from './link-form.tsx';
import { OpenidButton } from './openid-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { takeError } from './link.ts';
import { useWays } from './use-ways.ts';

const t = texts.signIn;

type SignInProps = { link?: string; enter: (me: Me) => void; leaveLink?: () => void };

export function SignIn({ link, enter, leaveLink }: SignInProps) {
  useEffect(() => {
    document.title = `${t.title} · ${texts.shell.product}`;
  }, []);
  return (
    <main className="gate">
      <div className="gate-card">
        <p className="brand">
          <img src={mark} alt="" />
          {texts.shell.brand}
        </p>
        {link ? (
          <LinkForm code={link} enter={enter} leave={() => leaveLink?.()} />
        ) : (
          <WaysIn enter={enter} />
        )}
      </div>
    </main>
  );
}

function WaysIn({ enter }: { enter: (me: Me) => void }) {
  const methods = useWays();
  const [error] = useState(takeError);
  return (
    <Reading query={methods}>
      {({ this_machine, password, openid }) => (
        <>
          {error && <Problem error={new Error(error)} />}
          {this_machine && <ThisMachine enter={enter} />}
          {!this_machine && (password || openid) && <Heading title={t.title}>{t.lede}</Heading>}
          {!this_machine && password && <PasswordForm enter={enter} />}
          {!this_machine && openid && <OpenidButton label={t.openid(openid.name)} />}
          {!this_machine && !password && !openid && <Locked />}
        </>
      )}
    </Reading>
  );
}

function ThisMachine({ enter }: { enter: (me: Me) => void }) {
  const signIn = useWrite(
    async () => enter(await call<Me>('POST', '/console/api/sign-in/this-machine', {})),
    [],
  );
  return (
    <>
      <Heading title={t.welcome}>{t.machineText}</Heading>
      {signIn.error && <Problem error={signIn.error} />}
      {signIn.isPending ? (
        <Loading lines={1} />
      ) : (
        <button type="button" className="button button-lit" onClick={() => signIn.mutate()}>
          {t.machine}
        </button>
      )}
    </>
  );
}

function Locked() {
  return (
    <>
      <Heading title={t.locked}>{t.lockedText}</Heading>
      <Code text={t.lockedCommand} label={t.locked} />
    </>
  );
}
