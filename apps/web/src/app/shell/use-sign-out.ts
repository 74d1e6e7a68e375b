import { useRouter } from '@tanstack/react-router';
import { currentLanguage } from '../../lib/language/index.ts';
import { signOut } from '../../lib/sign-out/index.ts';
import { toast } from '../../lib/toast/index.ts';

/** Signs out, then shows the login page (specification, section 7). */
export const useSignOut = (): (() => Promise<void>) => {
  const router = useRouter();
  return async () => {
    const problem = await signOut();
    if (problem !== undefined) toast.error(problem);
    else router.history.replace(`/${currentLanguage()}/login`, undefined, { ignoreBlocker: true });
  };
};
