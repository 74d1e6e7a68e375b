import type { PermissionMap } from '@simcube/contract';
import { useEffect } from 'react';
import { addDeferredPhrases, currentLanguage, translate } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { toast } from '../../lib/toast/index.ts';
import { allDrafts } from '../../ui/unsaved/index.ts';
import { type LostArea, lostAreas } from './lost-permissions.ts';

/**
 * Says which permissions the person lost while the console is open: pages and forms that require them disappear. The message stays
 * until it is dismissed, because the person may be typing.
 */
export const useLostPermissions = (): void => {
  useEffect(() => {
    let before = permissionsNow();
    return session.subscribe(() => {
      const now = permissionsNow();
      const lost = now.code === before.code ? lostAreas(before.map, now.map) : [];
      before = now;
      // Now, while what was typed is still on screen.
      if (lost.length > 0)
        void showNotice(lost, { organisation: now.name, wasTyping: allDrafts.isChanged() });
    });
  }, []);
};

interface PermissionsIn {
  /** Null: no organisation is open, or the person is no longer a member, which is reported elsewhere. */
  code: string | null;
  name: string;
  map: PermissionMap;
}

const permissionsNow = (): PermissionsIn => {
  const { code = null, name = '' } = session.currentMembership() ?? {};
  return { code, name, map: session.permissions() };
};

const showNotice = async (
  areas: readonly LostArea[],
  { organisation, wasTyping }: { organisation: string; wasTyping: boolean },
): Promise<void> => {
  await addDeferredPhrases(currentLanguage());
  const lost = listed(
    areas.map(({ key, lost: actions, kept }) => areaText(key, kept.length > 0 ? actions : [])),
  );
  const left = areas.filter(({ kept }) => kept.length > 0);
  const text = translate(wasTyping ? 'account.lost.textWhileTyping' : 'account.lost.text', {
    organisation,
    lost,
  });
  toast.upsert({
    key: `lost-permissions ${lost}`,
    kind: 'warning',
    text,
    note:
      left.length > 0
        ? translate('account.lost.kept', { kept: listed(left.map(({ key, kept }) => areaText(key, kept))) })
        : null,
    link: null,
    progress: null,
    actions: [],
    sticky: true,
    onRemoved: () => undefined,
  });
};

/** The area with these actions; alone if it is lost as a whole. */
const areaText = (key: LostArea['key'], actions: LostArea['lost']): string => {
  const area = translate(`account.permissions.keys.${key}`);
  if (actions.length === 0) return area;
  const names = actions.map((action) => translate(`account.permissions.actions.${action}`));
  return translate('kit.marks.aside', { text: area, note: listed(names) });
};

const listed = (parts: readonly string[]): string =>
  new Intl.ListFormat(currentLanguage(), { type: 'conjunction' }).format(parts);
