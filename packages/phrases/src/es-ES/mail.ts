import type { Phrases } from '../shape.ts';

export const mail: Phrases['mail'] = {
  greeting: 'Hola, {{name}}:',
  open: 'Abrir SimCube',
  address: 'Si el botón no funciona, abre esta dirección:',
  footer: 'SimCube ha enviado este correo automáticamente. Las respuestas no se leen.',
  invitation: {
    subject: '{{inviter}} te invita a {{organisation}}',
    preview: 'Acepta en un plazo de {{days}} días.',
    title: 'Tienes una invitación a {{organisation}}',
    body: '{{inviter}} te invita a la organización {{organisation}} en SimCube. Cuando aceptes podrás iniciar sesión.',
    action: 'Aceptar la invitación',
    note: 'La invitación es válida durante {{days}} días. Si no la esperabas, ignora este correo: no ocurrirá nada.',
  },
  passwordReset: {
    subject: 'Restablece tu contraseña de SimCube',
    preview: 'El enlace es válido durante {{minutes}} minutos.',
    title: 'Elige una contraseña nueva',
    body: 'Alguien ha pedido restablecer la contraseña de tu cuenta de SimCube. Si has sido tú, elige ahora una nueva.',
    action: 'Elegir una contraseña nueva',
    note: 'El enlace sirve una sola vez, durante {{minutes}} minutos. Si no lo has pedido tú, ignora este correo: tu contraseña no cambia.',
  },
  signInCode: {
    subject: '{{code}} es tu código de inicio de sesión de SimCube',
    preview: 'Válido durante {{minutes}} minutos.',
    title: 'Tu código de inicio de sesión',
    body: 'Introduce este código donde estás iniciando sesión en SimCube:',
    note: 'El código es válido durante {{minutes}} minutos. No se lo des a nadie. Si no estás iniciando sesión en este momento, otra persona lo ha intentado: cambia tu contraseña.',
  },
  passwordChanged: {
    subject: 'Se ha cambiado tu contraseña de SimCube',
    preview: 'Si has sido tú, no tienes que hacer nada.',
    title: 'Se ha cambiado tu contraseña',
    body: 'La contraseña de tu cuenta de SimCube se acaba de cambiar y se han cerrado todas tus sesiones.',
    note: 'Si no has sido tú, restablece la contraseña de inmediato en la página de inicio de sesión y avisa a un administrador de tu organización.',
  },
  twoFactorEnabled: {
    subject: 'Se ha activado la verificación en dos pasos',
    preview: 'Si has sido tú, no tienes que hacer nada.',
    title: 'La verificación en dos pasos está activada',
    body: 'A partir de ahora, para iniciar sesión en tu cuenta de SimCube hace falta un código de tu aplicación de autenticación.',
    note: 'Si no has sido tú, restablece la contraseña de inmediato en la página de inicio de sesión y avisa a un administrador de tu organización.',
  },
  twoFactorDisabled: {
    subject: 'Se ha desactivado la verificación en dos pasos',
    preview: 'Si has sido tú, no tienes que hacer nada.',
    title: 'La verificación en dos pasos está desactivada',
    body: 'A partir de ahora, basta tu contraseña para iniciar sesión en tu cuenta de SimCube.',
    note: 'Si no has sido tú, restablece la contraseña de inmediato en la página de inicio de sesión y avisa a un administrador de tu organización.',
  },
};
