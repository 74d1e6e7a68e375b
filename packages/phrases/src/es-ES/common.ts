import type { Phrases } from '../shape.ts';

export const common: Phrases['common'] = {
  product: 'SimCube',
  success: 'Correcto',
  actions: {
    cancel: 'Cancelar',
    copied: 'Copiado',
    copyFailed: 'El navegador no ha permitido copiar: seleccione el texto y cópielo usted',
    reload: 'Recargar',
    retry: 'Reintentar',
  },
  languages: {
    'en-US': 'English',
    'zh-CN': '简体中文',
    'zh-TW': '繁體中文',
    'es-ES': 'Español',
  },
  languageShort: {
    'en-US': 'EN',
    'zh-CN': '简',
    'zh-TW': '繁',
    'es-ES': 'ES',
  },
  roles: {
    user: 'Usuario',
    operator: 'Operador',
    admin: 'Administrador',
    superadmin: 'Superadministrador',
  },
  theme: {
    label: 'Tema',
    light: 'Claro',
    dark: 'Oscuro',
    system: 'Sistema',
  },
  time: {
    utc: 'UTC',
    local: 'Local',
    asOf: 'datos de {{time}}',
  },
  states: {
    loading: 'Cargando…',
    failed: 'No se ha podido cargar.',
    none: '—',
    nothingNear: 'Ninguna población cerca',
  },
  chosen: 'elegido',
  trace: 'ID de traza {{traceId}}',
  bytesExact: '{{bytes}} bytes',
};
