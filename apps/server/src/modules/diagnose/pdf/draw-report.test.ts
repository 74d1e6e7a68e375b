import { languages } from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import { describe, expect, it, vi } from 'vitest';
import { brokenFacts, healthyFacts } from '../../../testing/diagnose.ts';
import { readPdf } from '../../../testing/pdf.ts';
import { reportOf, wordedReport } from '../diagnose.report.ts';
import type { DiagnoseFacts } from '../diagnose-facts.rules.ts';
import { drawReport } from './draw-report.ts';

const drawn = (facts: DiagnoseFacts, language: (typeof languages)[number]) =>
  drawReport(wordedReport(reportOf(facts), language), language);
/** Lines are broken at spaces, which are not drawn at line ends. */
const bare = (text: string) => text.replaceAll(/\s/g, '');

// A Chinese typeface has 20 MB; the first document reads the library too.
vi.setConfig({ testTimeout: 60_000 });

describe.each(languages)('a report in %s', (language) => {
  it('is one page with everything, with no character missing', async () => {
    for (const facts of [healthyFacts(), brokenFacts()]) {
      const file = await drawn(facts, language);
      expect(file.length).toBeLessThan(300_000);
      const { pages, text, missing } = readPdf(file);
      expect([pages, missing]).toEqual([1, 0]);
      const report = wordedReport(reportOf(facts), language);
      const shown = [
        report.iccid,
        report.organisation,
        phrase(language, `diagnose.overall.${report.overall}`),
        ...report.checks.flatMap(({ check, light, sentence, advice }) => [
          phrase(language, `diagnose.checks.${check}`),
          phrase(language, `diagnose.lights.${light}`),
          sentence,
          advice ?? '',
        ]),
      ];
      for (const part of shown) expect(bare(text)).toContain(bare(part));
    }
  });

  it('is tagged, with its language and title', async () => {
    const { plain } = readPdf(await drawn(healthyFacts(), language));
    expect(plain).toContain(`/Lang (${language})`);
    expect(plain).toContain('/Marked true');
    expect(plain).toContain('/DisplayDocTitle true');
    expect(plain).toContain('/S /TH');
    expect(plain).toMatch(/<dc:title>[\s\S]{0,300}89860012345678901234/);
  });
});

it('the PDF of the same report is the same file', async () => {
  const [once, again] = [await drawn(brokenFacts(), 'zh-CN'), await drawn(brokenFacts(), 'zh-CN')];
  expect(once.equals(again)).toBe(true);
});

it('the PDF shows names in other scripts, and a replacement for characters without a glyph', async () => {
  const facts = healthyFacts({ deviceName: '水泵 7 號 🚀\u202E', organisation: '喆铁物联科技 Ñandú' });
  for (const language of languages) {
    const { text, missing } = readPdf(await drawn(facts, language));
    expect(missing).toBe(0);
    expect(bare(text)).toContain(bare('水泵 7 號 ?'));
    expect(bare(text)).toContain(bare('喆铁物联科技 Ñandú'));
  }
});

it('the PDF stays one page, whatever the names', async () => {
  const long = 'W'.repeat(300);
  const order = { bundle: long, endsAt: new Date('2026-11-20T00:00:00Z') };
  const apn = `${'a'.repeat(90)}.example`;
  const facts = brokenFacts({ deviceName: long, organisation: long, order, apn });
  for (const language of languages) {
    const { pages, text } = readPdf(await drawn(facts, language));
    expect(pages).toBe(1);
    expect(text).toContain('…');
  }
});
