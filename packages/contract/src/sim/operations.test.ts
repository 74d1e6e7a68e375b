import { describe, expect, it } from 'vitest';
import { tagChangesSchema } from './operations.ts';

describe('changes of tags', () => {
  it.each(['a|b', 'c;d', '红；蓝', '-'])('do not add %s, which files would not keep', (tag) => {
    const issues = tagChangesSchema.safeParse({ add: [tag] }).error?.issues;
    expect(issues).toEqual([expect.objectContaining({ path: ['add', 0], message: 'tagSeparator' })]);
    expect(tagChangesSchema.parse({ remove: [tag] })).toEqual({ add: [], remove: [tag] });
  });

  it('add no tag that they remove, in whatever case', () => {
    expect(tagChangesSchema.safeParse({ add: ['Fleet'], remove: ['fleet'] }).success).toBe(false);
    expect(tagChangesSchema.safeParse({}).success).toBe(false);
    expect(tagChangesSchema.parse({ add: ['a-b', 'a, b'] })).toEqual({ add: ['a-b', 'a, b'], remove: [] });
  });
});
