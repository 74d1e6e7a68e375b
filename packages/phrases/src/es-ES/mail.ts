import type { Phrases } from '../shape.ts';

export const mail: Phrases['mail'] = {
  greeting: 'Hola, {{name}}:',
  open: 'Abrir SimCube',
  address: 'Si el botón no funciona, abra este enlace:',
  footer: 'Este es un correo automático de SimCube. No responda a este mensaje.',
  invitation: {
    subject: '{{inviter}} le invita a unirse a {{organisation}}',
    preview: 'Acepte en un plazo de {{days}} días.',
    title: 'Tiene una invitación para unirse a {{organisation}}',
    body: '{{inviter}} le invita a unirse a la organización {{organisation}} en SimCube. Cuando acepte podrá iniciar sesión.',
    action: 'Aceptar la invitación',
    note: 'La invitación es válida durante {{days}} días. Si no la esperaba, ignore este correo.',
  },
  passwordReset: {
    subject: 'Restablezca su contraseña de SimCube',
    preview: 'El enlace es válido durante {{minutes}} minutos.',
    title: 'Elija una contraseña nueva',
    body: 'Alguien ha solicitado restablecer la contraseña de su cuenta de SimCube. Si ha sido usted, elija ahora una nueva.',
    action: 'Elegir una contraseña nueva',
    note: 'El enlace sirve una sola vez, durante {{minutes}} minutos. Si no lo ha solicitado usted, ignore este correo: su contraseña no cambia.',
  },
  signInCode: {
    subject: '{{code}} es su código de inicio de sesión de SimCube',
    preview: 'Válido durante {{minutes}} minutos.',
    title: 'Su código de inicio de sesión',
    body: 'Introduzca este código para iniciar sesión en SimCube:',
    note: 'El código es válido durante {{minutes}} minutos. No lo comparta con nadie. Si no está iniciando sesión en este momento, es posible que otra persona conozca su contraseña: cámbiela.',
  },
  passwordChanged: {
    subject: 'Se ha cambiado su contraseña de SimCube',
    preview: 'Si ha sido usted, no tiene que hacer nada.',
    title: 'Se ha cambiado su contraseña',
    body: 'La contraseña de su cuenta de SimCube se acaba de cambiar y se han cerrado todas sus sesiones.',
    note: 'Si no ha sido usted, restablezca la contraseña de inmediato en la página de inicio de sesión y avise a un administrador de su organización.',
  },
  twoFactorEnabled: {
    subject: 'Se ha activado la verificación en dos pasos',
    preview: 'Si ha sido usted, no tiene que hacer nada.',
    title: 'La verificación en dos pasos está activada',
    body: 'A partir de ahora, para iniciar sesión en su cuenta de SimCube hace falta un código de su aplicación de autenticación.',
    note: 'Si no ha sido usted, restablezca la contraseña de inmediato en la página de inicio de sesión y avise a un administrador de su organización.',
  },
  twoFactorDisabled: {
    subject: 'Se ha desactivado la verificación en dos pasos',
    preview: 'Si ha sido usted, no tiene que hacer nada.',
    title: 'La verificación en dos pasos está desactivada',
    body: 'A partir de ahora, basta su contraseña para iniciar sesión en su cuenta de SimCube.',
    note: 'Si no ha sido usted, restablezca la contraseña de inmediato en la página de inicio de sesión y avise a un administrador de su organización.',
  },
};
