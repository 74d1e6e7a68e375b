import type { Phrases } from '../shape.ts';

export const settings: Phrases['settings'] = {
  title: 'Ajustes',
  facts: '{{name}} · {{role}}',
  tabs: {
    profile: 'Perfil',
    accounts: 'Cuentas',
    organisation: 'Organización',
    security: 'Seguridad',
    groups: 'Destinos de notificación',
    sms: 'Servicio de SMS',
    audit: 'Auditoría',
    preferences: 'Preferencias',
  },
};
