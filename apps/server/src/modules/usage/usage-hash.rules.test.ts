import { describe, expect, it } from 'vitest';
import { recordKey } from './cdr-file/cdr-line.rules.ts';
import { hash53, hashNumbers53, hashOctets53, reportKey, sessionKeyOf } from './usage-hash.rules.ts';

describe('the keys of sessions and records', () => {
  // Stored keys were made by former versions: if one of these changed, records that arrive again would count twice.
  it('are those of former versions', () => {
    expect(['', 'a', '8988-0001-é'].map(hash53)).toEqual([
      ...[3_338_908_027_751_811, 7_929_297_801_672_961, 2_764_381_463_092_745],
    ]);
    expect(hashNumbers53(1, 2, 3)).toBe(1_079_627_159_645_776);
    expect(hashNumbers53(2 ** 42, 2 ** 50 + 1, Number.MAX_SAFE_INTEGER)).toBe(2_810_578_491_835_750);
    expect(hashNumbers53(-1, 1_764_547_200_000, 5)).toBe(6_181_376_773_797_509);
    expect(sessionKeyOf('S1', '')).toBe(4_021_136_211_973_755);
    expect(sessionKeyOf('S1', 'gw')).toBe(8_142_139_966_126_695);
    expect(reportKey(7, { up: 2 ** 33, down: 9 })).toBe(367_203_975_271_553);
    expect(recordKey(7, { startedAt: 1_764_547_200_000, up: 1, down: 2 ** 40 })).toBe(982_603_276_064_917);
  });

  it('are equal for a text and its octets', () => {
    const octets = Buffer.from('8988-0001-x');
    expect(hashOctets53(octets, 0, octets.length)).toBe(hash53('8988-0001-x'));
    expect(hashOctets53(octets, 5, 9)).toBe(hash53('0001'));
    expect(hashOctets53(octets, 3, 3)).toBe(hash53(''));
  });
});
