import { endpoints, languages } from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { errorResponse, stubGateway } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { activateLanguage } from '../language/index.ts';
import { useToasts } from '../toast/index.ts';
import { ApiFailure, attempt, call, explanationOf } from './index.ts';

const gateway = stubGateway();
const sentences = {
  'en-US': 'You do not have this permission, please contact your admin!',
  'zh-CN': '您没有此权限，请联系管理员！',
  'zh-TW': '您沒有此權限，請聯絡管理員！',
  'es-ES': 'No tiene este permiso. ¡Contacte con su administrador!',
};

test.each(languages)(
  '400, the authorised resource for autoflow writing does not exist: the sentence and the resource, in %s',
  async (language) => {
    signedInAs('operator');
    await activateLanguage(language);
    const message = phrase(language, 'errors.autoflowWriteMissing');
    gateway.respond('DELETE /rule-engine/auto_flow/cube/rules/7', () =>
      errorResponse({ http: 400, code: 'CB-05-0001', message }),
    );
    await attempt(async () => {
      await call(endpoints.autoflow.remove, { params: { ruleId: '7' } });
    });
    const [toast] = renderHook(() => useToasts()).result.current;
    expect(toast?.text).toBe(sentences[language]);
    expect(toast?.note).toContain('autoflow-cube');
  },
);

test('a refusal in place names the missing resource, too', async () => {
  await activateLanguage('en-US');
  const failure = new ApiFailure({
    code: 'CB-05-0001',
    resultCode: null,
    http: 400,
    message: phrase('en-US', 'errors.autoflowWriteMissing'),
    issues: [],
    traceId: 'trace-refused',
  });
  expect(explanationOf(failure)).toBe(
    'You do not have this permission, please contact your admin! Missing permission: autoflow-cube',
  );
});
