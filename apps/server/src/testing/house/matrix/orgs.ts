import type { Sides, Things } from './things.ts';

export const orgThings = ({
  own,
  foreign,
  beside,
}: Sides): Pick<Things, 'partnerCode' | 'orgCode' | 'code' | 'orgId' | 'targetCode' | 'target_code'> => {
  const byCode = { own: () => own.code, foreign: foreign.code };
  const target = { own: () => beside.code, foreign: foreign.code };
  return {
    partnerCode: byCode,
    orgCode: {
      // What an organisation may send is set by the one above.
      own: (_, { id }) => (id === 'sms.updateService' ? beside.code : own.code),
      foreign: foreign.code,
    },
    code: byCode,
    orgId: { own: () => String(own.id), foreign: String(foreign.id) },
    targetCode: target,
    target_code: target,
  };
};
