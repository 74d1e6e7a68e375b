import type { Phrases } from '../shape.ts';

export const notify: Phrases['notify'] = {
  kind: 'Tipo de grupo',
  kinds: { email: 'Correo', sms: 'SMS' },
  label: { email: 'Grupos de direcciones', sms: 'Grupos de suscriptores SMS' },
  search: { email: 'Buscar por nombre o correo', sms: 'Buscar por nombre o teléfono' },
  new: { email: 'Nuevo grupo de direcciones', sms: 'Nuevo grupo SMS' },
  create: { email: 'Nuevo grupo de direcciones', sms: 'Nuevo grupo de suscriptores SMS' },
  edit: 'Editar {{name}}',
  rowMenu: 'Acciones para {{name}}',
  actions: { edit: 'Editar' },
  fields: { name: 'Nombre', count: 'Miembros', created: 'Creado' },
  addresses: { email: 'Direcciones de correo', sms: 'Números de teléfono' },
  hint: {
    email: 'Hasta {{max}}. Pulse Intro después de cada una o pegue una lista.',
    sms: 'Hasta {{max}}, en formato internacional sin «+», por ejemplo 4915112345678. Pulse Intro después de cada uno o pegue una lista.',
  },
  make: 'Crear',
  save: 'Guardar',
  made: 'Se ha creado {{name}}',
  saved: 'Se ha guardado {{name}}',
  empty: { email: 'Aún no hay grupos de direcciones', sms: 'Aún no hay grupos de suscriptores SMS' },
  emptyHint: {
    email: 'Todas las personas de un grupo reciben las mismas notificaciones por correo.',
    sms: 'Todos los números de un grupo reciben las mismas notificaciones por SMS.',
  },
  noMatch: 'Ningún grupo coincide',
  noMatchHint: 'Revise la ortografía o busque una parte del nombre.',
};
