import { allows, type PermissionKey, type PermissionMap, permissionKeys } from '@simcube/contract';

type Right = 'read' | 'operate' | 'write';
const rights = ['read', 'operate', 'write'] as const satisfies readonly Right[];

/** An area in which a person may do less than before. */
export interface LostArea {
  key: PermissionKey;
  lost: readonly Right[];
  /** What the person may still do there. */
  kept: readonly Right[];
}

/** The areas in which `now` allows less than `before`. */
export const lostAreas = (before: PermissionMap, now: PermissionMap): LostArea[] =>
  permissionKeys.flatMap((key) => {
    const held = rights.filter((right) => allows(before, key, right));
    const kept = held.filter((right) => allows(now, key, right));
    const lost = held.filter((right) => !kept.includes(right));
    return lost.length > 0 ? [{ key, lost, kept }] : [];
  });
