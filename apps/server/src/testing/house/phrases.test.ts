import { defaultLanguage, type ErrorCode, errors, languages } from '@simcube/contract';
import { simRefusals } from '@simcube/contract/sim';
import { errorText } from '@simcube/phrases';
import { bundle as enUS } from '@simcube/phrases/en-US';
import { bundle as esES } from '@simcube/phrases/es-ES';
import { bundle as zhCN } from '@simcube/phrases/zh-CN';
import { bundle as zhTW } from '@simcube/phrases/zh-TW';
import { describe, expect, it } from 'vitest';
import { isTest, sourceFiles } from './source-tree.ts';

type Flat = Map<string, string>;

const flatten = (node: object, above = ''): [string, string][] =>
  Object.entries(node).flatMap(([key, value]) => {
    const path = above ? `${above}.${key}` : key;
    return typeof value === 'string' ? [[path, value] as [string, string]] : flatten(value, path);
  });

const bundles = { 'en-US': enUS, 'zh-CN': zhCN, 'zh-TW': zhTW, 'es-ES': esES };
const texts = new Map<string, Flat>(
  languages.map((language) => [language, new Map(flatten(bundles[language]))]),
);

const of = (language: string): Flat => texts.get(language) ?? new Map();

/** Every language uses the languages' own names. */
const ownNames = /^common\.language(s|Short)\./;

/** Names, units and words that are the same in these languages. */
const international =
  /^[\s\p{N}\p{P}\p{S}]*((\{\{\w+\}\}|SimCube|SIM|SIMs|ICCID|IMSI|MSISDN|IMEI|IP|APN|PLMN|RAT|URL|UTC|GPRS|2G|3G|4G|5G|LTE|LTE-M|NB-IoT|NR|GSM|UMTS|CSV|XLSX|Excel|SKU|API|ID|SMS|CDR|CDRs|RADIUS|OTA|BIP|KB|MB|GB|TB|PB|B|kB|kbps|English|Español|简体中文|繁體中文|Ctrl|K|[Ee]sc|MCC-MNC|h|name@company\.com|Network Error|signoutCube|passwordChange|Autoflow|simcube-recovery-codes\.txt)[\s\p{N}\p{P}\p{S}]*)*$/u;

/** Spanish words that are spelled as in English. */
const alsoSpanish = new Set([
  'bits',
  'ms',
  's',
  'Asia',
  'Hash',
  'No',
  'Roles',
  'General',
  'Error',
  'Manual',
  'Total',
  'Total (bytes)',
  'Provisional',
  'provisional',
  'radio',
  'no',
  'Notas',
  'Local',
  'Normal',
  'Industrial',
  'Simple',
  'Chip',
  'Radio',
  'bytes',
  '· provisional',
]);

/** Characters that only one of the two Chinese scripts has. */
const simplifiedOnly =
  /[们这时动发线网络设备态历录选择认数据实开关页单击编辑签账号组织总览图无权联请务错误结证码门间问车长见语说话读让过还进运连输达边远难电项预频题颜额马验]/u;
const traditionalOnly =
  /[們這時動發線網絡設備態歷錄選擇認數據實開關頁單擊編輯簽帳號組織總覽圖無權聯請務錯誤結證碼門間問車長見語說話讀讓過還進運連輸達邊遠難電項預頻題顏額馬驗]/u;

describe.each(languages)('%s', (language) => {
  it('has every phrase, none empty or padded', () => {
    const english = of(defaultLanguage);
    expect([...of(language).keys()].toSorted((a, b) => a.localeCompare(b))).toEqual(
      [...english.keys()].toSorted((a, b) => a.localeCompare(b)),
    );
    expect(english.size).toBeGreaterThan(200);
    const poor = [...of(language)].filter(([, text]) => text.trim() === '' || text !== text.trim());
    expect(poor).toEqual([]);
  });

  it('has the same placeholders and tags as English', () => {
    const marks = (text: string) =>
      [...text.matchAll(/\{\{\s*\w+\s*\}\}|<\/?\w+>/g)]
        .map(([mark]) => mark)
        .toSorted((a, b) => a.localeCompare(b));
    const different = [...of(language)].filter(([key, text]) => {
      const english = of(defaultLanguage).get(key) ?? '';
      return marks(text).join() !== marks(english).join();
    });
    expect(different).toEqual([]);
  });

  it('is translated', () => {
    const texts = [...of(language)].filter(([key]) => !ownNames.test(key));
    if (language === defaultLanguage) {
      expect(texts.filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([]);
      return;
    }
    const allowed = (text: string) =>
      international.test(text) ||
      (language === 'es-ES' && alsoSpanish.has(text.replaceAll(/\{\{\w+\}\}/g, '').trim()));
    const same = texts.filter(([key, text]) => of(defaultLanguage).get(key) === text && !allowed(text));
    expect(same).toEqual([]);
  });
});

it('simplified and traditional Chinese are not mixed', () => {
  const names = /简体中文|繁體中文/gu;
  const inTaiwan = [...of('zh-TW')].filter(([, text]) => simplifiedOnly.test(text.replaceAll(names, '')));
  const inChina = [...of('zh-CN')].filter(([, text]) => traditionalOnly.test(text.replaceAll(names, '')));
  expect(inTaiwan).toEqual([]);
  expect(inChina).toEqual([]);
});

it('every error of the catalogue has a message in every language', () => {
  for (const language of languages) {
    for (const { key } of Object.values(errors))
      expect(of(language).get(`errors.${key}`), `${language} ${key}`).toBeTruthy();
  }
});

describe('an error whose message has placeholders', () => {
  const code = sourceFiles((path) => /^(apps|packages)\/.*\.tsx?$/.test(path) && !isTest(path));
  const withPlaceholders = new Set(
    Object.entries(errors).flatMap(([code, { key }]) =>
      of(defaultLanguage).get(`errors.${key}`)?.includes('{{') ? [code] : [],
    ),
  );

  it('gets its values where it is shown by its code alone', () => {
    expect(simRefusals.filter((refusal) => withPlaceholders.has(refusal))).not.toEqual([]);
    for (const language of languages) {
      for (const refusal of simRefusals) expect(errorText(language, refusal)).not.toContain('{{');
    }
  });

  it('is not thrown without them', () => {
    const bare = code.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:fail|new Failure)\(\s*'(CB-\d{2}-\d{4})',?\s*\)/g)]
        .map(([, thrown = '']) => thrown as ErrorCode)
        .filter((thrown) => withPlaceholders.has(thrown) && errorText(defaultLanguage, thrown).includes('{{'))
        .map((thrown) => `${path}: ${thrown}`),
    );
    expect(bare).toEqual([]);
  });

  it('is looked up in one place, which knows its values', () => {
    const places = code.filter(({ text }) => /`errors\.\$\{(errors\[|error\.)/.test(text));
    expect(new Set(places.map(({ path }) => path))).toEqual(
      new Set([
        // The console's own: errors that it finds without asking the server, none of which has placeholders.
        'apps/web/src/features/identity/problems.ts',
        'packages/phrases/src/index.ts',
      ]),
    );
  });
});

it('every phrase is used', () => {
  const code = sourceFiles((path) => /^apps\/.*\.tsx?$/.test(path) && !isTest(path));
  const words = (pattern: RegExp) =>
    new Set(code.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, word = '']) => word)));
  const keys = words(/['"]([\w.-]+)['"]/g);
  // A key may be composed: then the part before its last ones is in a template in the code.
  const beginnings = words(/`([\w.-]+)\.\$\{/g);
  const used = (key: string): boolean => {
    const bare = key.replace(/_(one|other|many|zero|few|two)$/, '');
    const parts = bare.split('.');
    return keys.has(bare) || parts.some((_, end) => beginnings.has(parts.slice(0, end).join('.')));
  };
  const catalogue = new Set(Object.values(errors).map(({ key }) => `errors.${key}`));
  expect([...of(defaultLanguage).keys()].filter((key) => !catalogue.has(key) && !used(key))).toEqual([]);
});

describe('Spanish', () => {
  it('addresses the reader as usted throughout, never as tú', () => {
    const familiar =
      /(?<!\p{L})(tú|tus?|te|ti|contigo|puedes|debes|tienes|quieres|eres|estás|has|podrás|introduce|elige|escribe|pulsa|revisa|recarga|vuelve a iniciar|vienes|\p{L}+[aei]rás|inténtalo|pídelo|pídeselo|cámbiala|ciérrala)(?!\p{L})/iu;
    expect([...of('es-ES')].filter(([, text]) => familiar.test(text))).toEqual([]);
  });
});

describe('typography', () => {
  const texts = (language: string) => [...of(language)].filter(([key]) => !ownNames.test(key));

  it.each(languages)('of %s uses typographic ellipses and quotation marks', (language) => {
    // Messages of the specification are quoted literally.
    const worded = new Set(['identity.password.differentAtSignUp']);
    const plain = texts(language).filter(([key, text]) => !worded.has(key) && /\.\.\.|["']/.test(text));
    expect(plain).toEqual([]);
  });

  it.each(['zh-CN', 'zh-TW'])(
    'of %s uses full-width punctuation, with spaces around Latin letters and digits',
    (language) => {
      const han = '\\p{Script=Han}';
      const wrong = new RegExp(
        `${han}[,;:!?()]|[,;:!?()]${han}|${han}[A-Za-z0-9]|[A-Za-z0-9]${han}|[，。；：！？（）“”「」、] `,
        'u',
      );
      expect(texts(language).filter(([, text]) => wrong.test(text))).toEqual([]);
      const quotes = language === 'zh-CN' ? /[「」]/ : /[“”]/;
      expect(texts(language).filter(([, text]) => quotes.test(text))).toEqual([]);
    },
  );

  it('of Spanish has opening question and exclamation marks', () => {
    const count = (text: string, mark: string) => text.split(mark).length;
    const open = texts('es-ES').filter(
      ([, text]) => count(text, '¿') !== count(text, '?') || count(text, '¡') !== count(text, '!'),
    );
    expect(open).toEqual([]);
    expect(texts('es-ES').filter(([, text]) => /[“”]/.test(text))).toEqual([]);
  });
});
