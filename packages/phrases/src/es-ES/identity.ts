import type { Phrases } from '../shape.ts';

export const identity: Phrases['identity'] = {
  login: {
    title: 'Iniciar sesión',
    subtitle: 'Gestiona tus SIM IoT y su conectividad.',
    email: 'Correo electrónico',
    emailPlaceholder: 'nombre@empresa.com',
    password: 'Contraseña',
    showPassword: 'Mostrar la contraseña',
    hidePassword: 'Ocultar la contraseña',
    code: 'Código de verificación',
    codeHint: 'Seis cifras, de tu aplicación de autenticación o del correo que te hemos enviado.',
    agreement: 'Acepto las <terms>condiciones de uso</terms> y el <privacy>aviso de privacidad</privacy>.',
    submit: 'Iniciar sesión',
    submitting: 'Iniciando sesión…',
    capsLock: 'Las mayúsculas están activadas.',
  },
  unauthorised: {
    title: 'Vuelve a iniciar sesión',
    text: 'Tu sesión ha caducado o ya no es válida. No se ha perdido nada: al iniciar sesión volverás a donde estabas.',
    action: 'Ir al inicio de sesión',
  },
  notFound: {
    title: 'Esta página no existe',
    text: 'Puede que la dirección esté mal escrita o que la página se haya movido.',
    action: 'Ir a la página de inicio',
  },
};
