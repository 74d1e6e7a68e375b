import type { References, Sides } from './references.ts';

export const orgReferences = ({
  own,
  foreign,
  beside,
}: Sides): Pick<References, 'partnerCode' | 'orgCode' | 'code' | 'orgId' | 'targetCode' | 'target_code'> => {
  const byCode = { own: () => own.code, foreign: foreign.code };
  const target = { own: () => beside.code, foreign: foreign.code };
  return {
    partnerCode: byCode,
    orgCode: {
      // The organisation above sets what one may send.
      own: (_, { id }) => (id === 'sms.updateService' ? beside.code : own.code),
      foreign: foreign.code,
    },
    code: byCode,
    orgId: { own: () => String(own.id), foreign: String(foreign.id) },
    targetCode: target,
    target_code: target,
  };
};
