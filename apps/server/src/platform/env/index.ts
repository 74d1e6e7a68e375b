import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limits } from '@simcube/contract';
import { z } from 'zod';
import { readEnvironment } from './environment-file.ts';
import { unknownNames } from './unknown-names.ts';
import { UnusableSettings } from './unusable-settings.ts';

export { UnusableSettings } from './unusable-settings.ts';

/** An environment variable that is not a setting, such as a secret that a catalogue file names. */
export const environmentValue = (name: string): string | undefined => process.env[name];

export const projectRoot = (() => {
  const here = fileURLToPath(import.meta.url);
  const marker = here.lastIndexOf('/apps/server/');
  return marker === -1 ? process.cwd() : here.slice(0, marker);
})();

const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`);
/** Digits only: no signs, exponents or other notations. */
const integer = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d+$/, error).transform(Number).pipe(z.number().min(min, error).max(max, error));
};
const port = integer(0, 65_535);
const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be a URL such as ${example}` });
const webUrl = url(/^https?$/, 'https://sim.example.com');
/** `+8`, `8`, `-5`, `0`: hours in no other form. */
const hours = `must be whole hours from ${limits.dayOffset.min} to +${limits.dayOffset.max}, such as +8 or -5`;
const dayOffset = z
  .string()
  .regex(/^[+-]?\d{1,2}$/, hours)
  .transform(Number)
  .pipe(z.number().min(limits.dayOffset.min, hours).max(limits.dayOffset.max, hours));
/** Proxies whose X-Forwarded-For is trusted: a number of hops, or the proxies in named networks. */
const trustedProxies = z.string().transform((value, context): false | number | string[] => {
  if (/^\d{1,2}$/.test(value)) return Number(value) || false;
  const networks = value.split(',').map((network) => network.trim());
  if (
    networks.every(
      (network) => z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).safeParse(network).success,
    )
  )
    return networks;
  context.addIssue({ code: 'custom', message: 'must be a number of hops, or networks separated by commas' });
  return z.NEVER;
});
/** Networks (CIDR), separated by commas. */
const networks = z
  .string()
  .transform((value) => value.split(',').map((network) => network.trim()))
  .pipe(
    z
      .array(z.union([z.cidrv4(), z.cidrv6()], 'must be networks such as 10.0.0.0/8, separated by commas'))
      .max(100, 'must be at most 100 networks'),
  );
/** Headers in OpenTelemetry's format for environment variables. */
const headersOf = (text: string, context: z.RefinementCtx): Record<string, string> => {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*([^\s,]+)\s*$/.exec(pair));
  const [headers, isWhole] = [new Map<string, string>(), pairs.every((pair) => pair !== null)];
  try {
    for (const [, name = '', value = ''] of pairs.filter((pair) => pair !== null)) {
      headers.set(name, decodeURIComponent(value));
    }
    if (isWhole) return Object.fromEntries(headers);
  } catch {
    // A malformed percent-encoding is reported below.
  }
  context.addIssue({ code: 'custom', message: 'must be name=value, separated by commas' });
  return z.NEVER;
};
export const roleNames = ['web', 'worker', 'aaa'] as const;
/**
 * One per role, so that one process per role fits on a machine; a process with several roles uses the first of
 * them in this order.
 */
const managementPorts = { web: 8090, worker: 8091, aaa: 8092 };

/** Settings that need another one. */
const dependent = [{ name: 'SIMCUBE_SMTP_URL', needs: 'SIMCUBE_MAIL_FROM' }] as const;

/** Every setting of the installation; docs/operations.md explains each. */
const envSchema = z
  .object({
    DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/database').optional(),
    /** Receiver of traces (OTLP over HTTP); without it none are made. The names are OpenTelemetry's. */
    OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
    /** `name=value`, separated by commas, values encoded as in URLs. */
    OTEL_EXPORTER_OTLP_HEADERS: z.string().transform(headersOf).optional(),
    OTEL_SERVICE_NAME: z.string().min(1).default('simcube'),
    /** Share of traces to record. */
    OTEL_TRACES_SAMPLER_ARG: z
      .string()
      .regex(/^(0|1|0?\.\d+|1\.0+)$/, 'must be a fraction from 0 to 1, such as 0.1')
      .transform(Number)
      .default(1),
    SIMCUBE_DATA_DIR: z.string().min(1).default('data'),
    /** Where months past their retention are archived as files; without it they are dropped. */
    SIMCUBE_ARCHIVE_DIR: z.string().min(1).optional(),
    SIMCUBE_DB_USER: z.string().min(1).optional(),
    /**
     * Where business days end: whole hours ahead of UTC. Stored when an installation is made; without it the
     * stored value applies.
     */
    SIMCUBE_DAY_OFFSET: dayOffset.optional(),
    SIMCUBE_DEMO: flag.default(true),
    SIMCUBE_HOST: z.string().min(1).default('127.0.0.1'),
    SIMCUBE_PORT: port.default(8080),
    /**
     * Whether an occupied port is an error instead of a reason to choose another; default outside the
     * demonstration.
     */
    SIMCUBE_STRICT_PORTS: flag.optional(),
    SIMCUBE_MANAGEMENT_HOST: z.string().min(1).default('127.0.0.1'),
    SIMCUBE_MANAGEMENT_PORT: port.optional(),
    /** Port of a demonstration gateway that already listens; a free port is chosen if not set. */
    SIMCUBE_DEMO_COA_PORT: port.optional(),
    /** The same for its SMSC. */
    SIMCUBE_DEMO_SMSC_PORT: port.optional(),
    SIMCUBE_ROLES: z
      .string()
      .default(roleNames.join(','))
      .transform((value) => value.split(',').map((role) => role.trim()))
      .pipe(
        z.array(z.enum(roleNames, `must be some of ${roleNames.join(', ')}, separated by commas`)).min(1),
      ),
    SIMCUBE_RADIUS_HOST: z
      .union([z.ipv4(), z.ipv6()], 'must be an IP address of this machine, or 0.0.0.0 or :: for all')
      .default('127.0.0.1'),
    SIMCUBE_RADIUS_AUTH_PORT: port.default(1812),
    SIMCUBE_RADIUS_ACCT_PORT: port.default(1813),
    SIMCUBE_LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    SIMCUBE_LOG_FORMAT: oneOf(['json', 'pretty']).optional(),
    SIMCUBE_SECRET_KEY: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
      .optional(),
    SIMCUBE_WEB_DIR: z.string().min(1).default('apps/web/dist'),
    SIMCUBE_REQUESTS_PER_MINUTE: integer(1, 1_000_000).default(1200),
    SIMCUBE_DB_POOL: integer(2, 200).default(16),
    SIMCUBE_TRUST_PROXY: trustedProxies.default(false),
    /** smtp: (STARTTLS) or smtps:, with user and password if the server requires them. */
    SIMCUBE_SMTP_URL: url(/^smtps?$/, 'smtp://user:password@host:587').optional(),
    SIMCUBE_MAIL_FROM: z
      .string()
      .transform((value, context) => {
        const address = mailAddressOf(value);
        if (address) return address;
        context.addIssue({ code: 'custom', message: 'must be `address` or `Name <address>`' });
        return z.NEVER;
      })
      .optional(),
    /** Reverse geocoding by the Nominatim API; without it places are named offline. */
    SIMCUBE_MAPS_URL: webUrl.transform((value) => value.replace(/\/+$/, '')).optional(),
    /** Private networks that outbound requests may nevertheless reach. */
    SIMCUBE_OUTBOUND_NETWORKS: networks.optional(),
    /** Modulus length in bits of the RSA keys that are generated for API calls. */
    SIMCUBE_API_KEY_BITS: integer(1024, 4096)
      .refine((bits) => bits === 1024 || bits >= 2048, 'must be 1024, or 2048 to 4096')
      .default(1024),
    /** Whether calls by API keys are logged, with their requests and responses. */
    SIMCUBE_API_LOG: flag.default(true),
    /** Maximum number of Autoflow rules per organisation. */
    SIMCUBE_AUTOFLOW_RULES: integer(1, 10_000).default(limits.autoflow.rules),
    /** Address at which people reach the console: the start of links in mails, and part of what API calls sign. */
    SIMCUBE_PUBLIC_URL: webUrl
      .refine((value) => !/[?#]/.test(value), 'must have no query and no fragment')
      // Links in mails and errors of signed calls show it.
      .refine((value) => !/^https?:\/\/[^/]*@/i.test(value), 'must have no user and no password')
      .transform((value) => value.replace(/\/+$/, ''))
      .optional(),
  })
  .superRefine((e, context) => {
    for (const { name, needs } of dependent)
      if (e[name] !== undefined && e[needs] === undefined)
        context.addIssue({ code: 'custom', path: [needs], message: `must be set together with ${name}` });
  });

/**
 * Whether a value may be shown to others who help with an installation. The rest may contain a password, a key
 * or a person's address.
 */
const isShown: Record<keyof typeof envSchema.shape, boolean> = {
  DATABASE_URL: false,
  OTEL_EXPORTER_OTLP_ENDPOINT: false,
  OTEL_EXPORTER_OTLP_HEADERS: false,
  OTEL_SERVICE_NAME: true,
  OTEL_TRACES_SAMPLER_ARG: true,
  SIMCUBE_DATA_DIR: false,
  SIMCUBE_ARCHIVE_DIR: false,
  SIMCUBE_DB_USER: false,
  SIMCUBE_DAY_OFFSET: true,
  SIMCUBE_DEMO: true,
  SIMCUBE_HOST: true,
  SIMCUBE_PORT: true,
  SIMCUBE_STRICT_PORTS: true,
  SIMCUBE_MANAGEMENT_HOST: true,
  SIMCUBE_MANAGEMENT_PORT: true,
  SIMCUBE_DEMO_COA_PORT: true,
  SIMCUBE_DEMO_SMSC_PORT: true,
  SIMCUBE_ROLES: true,
  SIMCUBE_RADIUS_HOST: true,
  SIMCUBE_RADIUS_AUTH_PORT: true,
  SIMCUBE_RADIUS_ACCT_PORT: true,
  SIMCUBE_LOG_LEVEL: true,
  SIMCUBE_LOG_FORMAT: true,
  SIMCUBE_SECRET_KEY: false,
  SIMCUBE_WEB_DIR: false,
  SIMCUBE_REQUESTS_PER_MINUTE: true,
  SIMCUBE_DB_POOL: true,
  SIMCUBE_TRUST_PROXY: true,
  SIMCUBE_SMTP_URL: false,
  SIMCUBE_MAIL_FROM: false,
  SIMCUBE_MAPS_URL: false,
  SIMCUBE_OUTBOUND_NETWORKS: true,
  SIMCUBE_API_KEY_BITS: true,
  SIMCUBE_API_LOG: true,
  SIMCUBE_AUTOFLOW_RULES: true,
  SIMCUBE_PUBLIC_URL: false,
};

type Values = Readonly<Record<string, string>>;

/** Which settings are set, without the values that are not shown. */
export interface ShownSetting {
  name: string;
  isSet: boolean;
  value?: string;
}

/** An invalid value is not shown: it may have been meant for another setting. */
const shownSettings = (values: Values, valid: Values): ShownSetting[] =>
  Object.entries(isShown).map(([name, shown]) => {
    const value = valid[name];
    return { name, isSet: values[name] !== undefined, ...(shown && value !== undefined && { value }) };
  });

/** The names of the settings, as docs/operations.md lists them. */
const settingNames: readonly string[] = Object.keys(envSchema.shape);

export interface MailAddress {
  name: string;
  address: string;
}

/** One line, so that a setting can't inject mail headers. */
const mailAddressOf = (value: string): MailAddress | undefined => {
  const [, name = '', named, bare = ''] =
    /^\s*(?:"?([^"<>\p{Cc}]*?)"?\s*<([^\s<>\p{Cc}]+)>|([^\s<>\p{Cc}]+))\s*$/u.exec(value) ?? [];
  const address = named ?? bare;
  return z.email().safeParse(address).success || /^[\w.-]+@localhost$/.test(address)
    ? { name, address }
    : undefined;
};

/** For people at a terminal, for programs everywhere else. */
const defaultLogFormat = () => (process.stdout.isTTY ? 'pretty' : 'json');

/** The demonstration creates accounts with published passwords: never in a real installation because a setting was forgotten. */
const demoFaultOf = ({ SIMCUBE_DEMO: demo, ...installation }: Values): string | undefined => {
  const named = ['DATABASE_URL', 'SIMCUBE_PUBLIC_URL'].find((name) => installation[name] !== undefined);
  return demo === undefined && named !== undefined
    ? `${named} is set, but SIMCUBE_DEMO is not: set it to 0, or to 1 for the demonstration, whose passwords everybody knows`
    : undefined;
};

export type Env = ReturnType<typeof examineEnv>;
export type RoleName = (typeof roleNames)[number];

/** An invalid setting; `problem` never contains its value, which may be a secret. */
export interface SettingFault {
  name: string;
  problem: string;
}

interface ParsedSettings {
  e: z.output<typeof envSchema>;
  valid: Values;
  faults: readonly SettingFault[];
}

/** The settings, of which the invalid ones count as not set. */
const parse = (values: Values, earlier: readonly SettingFault[] = []): ParsedSettings => {
  const parsed = envSchema.safeParse(values);
  if (parsed.success) return { e: parsed.data, valid: values, faults: earlier };
  const faults = parsed.error.issues.map((issue) => ({
    name: String(issue.path[0]),
    problem: issue.message,
  }));
  const invalid = new Set(faults.map(({ name }) => name));
  for (const { name, needs } of dependent) if (invalid.has(needs)) invalid.add(name);
  const valid = Object.fromEntries(Object.entries(values).filter(([name]) => !invalid.has(name)));
  if (Object.keys(valid).length === Object.keys(values).length)
    throw new Error(`Settings that are not set are invalid: ${[...invalid].join(', ')}`);
  return parse(valid, [...earlier, ...faults]);
};

const firstRoleOf = (roles: readonly RoleName[]): RoleName =>
  roleNames.find((role) => roles.includes(role)) ?? 'web';

/**
 * Reads and checks the settings of the environment and its file; relative paths are resolved from the project's
 * root.
 * @throws UnusableSettings that names every invalid setting, never its value (it may be a secret)
 */
export const readEnv = (source: NodeJS.ProcessEnv = process.env): Env => {
  const env = examineEnv(source);
  if (env.faults.length === 0) return env;
  const problems = env.faults.map(({ name, problem }) => `${name}: ${problem}`);
  throw new UnusableSettings(`Invalid settings:\n  ${problems.join('\n  ')}`);
};

/**
 * The same for those who look for what is wrong: invalid settings count as not set (SIMCUBE_DEMO as 0), and are
 * named in `faults`.
 * @throws UnusableSettings if the file of settings can't be read
 */
export const examineEnv = (source: NodeJS.ProcessEnv = process.env) => {
  const { values, file, warnings } = readEnvironment(source, projectRoot);
  const { e, valid, faults } = parse(values);
  // What is not certainly the demonstration must not have its passwords.
  const demo = e.SIMCUBE_DEMO && !faults.some(({ name }) => name === 'SIMCUBE_DEMO');
  const fromProjectRoot = (path: string) => (isAbsolute(path) ? path : resolve(projectRoot, path));
  return {
    faults,
    projectRoot,
    /** The file of settings that was read, or would have been if it existed. */
    environmentFile: file,
    /** What the operator should know about the settings. */
    warnings: [...warnings, ...unknownNames(Object.keys(values), ['SIMCUBE_ENV_FILE', ...settingNames])],
    settings: shownSettings(values, valid),
    databaseUrl: e.DATABASE_URL,
    databasePool: e.SIMCUBE_DB_POOL,
    databaseUser: e.SIMCUBE_DB_USER,
    dataDir: fromProjectRoot(e.SIMCUBE_DATA_DIR),
    archiveDir: e.SIMCUBE_ARCHIVE_DIR === undefined ? undefined : fromProjectRoot(e.SIMCUBE_ARCHIVE_DIR),
    webDir: fromProjectRoot(e.SIMCUBE_WEB_DIR),
    migrationsDir: resolve(projectRoot, 'apps/server/migrations'),
    dayOffset: e.SIMCUBE_DAY_OFFSET,
    demo,
    /** Why a server must not start: whether it may create the demonstration was not said. */
    demoFault: demoFaultOf(values),
    roles: e.SIMCUBE_ROLES,
    http: {
      host: e.SIMCUBE_HOST,
      port: e.SIMCUBE_PORT,
      requestsPerMinute: e.SIMCUBE_REQUESTS_PER_MINUTE,
      trustProxy: e.SIMCUBE_TRUST_PROXY,
    },
    management: {
      host: e.SIMCUBE_MANAGEMENT_HOST,
      port: e.SIMCUBE_MANAGEMENT_PORT ?? managementPorts[firstRoleOf(e.SIMCUBE_ROLES)],
      /** Where processes of this installation on this machine may have their management ports. */
      ports:
        e.SIMCUBE_MANAGEMENT_PORT === undefined
          ? Object.values(managementPorts)
          : [e.SIMCUBE_MANAGEMENT_PORT],
    },
    /** With `Type=notify` systemd gives its processes this socket. */
    isSystemdWaiting: Boolean(source['NOTIFY_SOCKET']),
    strictPorts: e.SIMCUBE_STRICT_PORTS ?? !demo,
    demoCoaPort: e.SIMCUBE_DEMO_COA_PORT,
    demoSmscPort: e.SIMCUBE_DEMO_SMSC_PORT,
    radius: {
      host: e.SIMCUBE_RADIUS_HOST,
      authPort: e.SIMCUBE_RADIUS_AUTH_PORT,
      acctPort: e.SIMCUBE_RADIUS_ACCT_PORT,
    },
    log: { level: e.SIMCUBE_LOG_LEVEL, format: e.SIMCUBE_LOG_FORMAT ?? defaultLogFormat() },
    secretKey: e.SIMCUBE_SECRET_KEY,
    /** Undefined: no traces are made. */
    tracing: e.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: e.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          service: e.OTEL_SERVICE_NAME,
          ratio: e.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
    publicUrl: e.SIMCUBE_PUBLIC_URL,
    apiKeyBits: e.SIMCUBE_API_KEY_BITS,
    apiLog: e.SIMCUBE_API_LOG,
    autoflowRules: e.SIMCUBE_AUTOFLOW_RULES,
    mapsUrl: e.SIMCUBE_MAPS_URL,
    outboundNetworks: e.SIMCUBE_OUTBOUND_NETWORKS ?? [],
    mail: {
      smtpUrl: e.SIMCUBE_SMTP_URL,
      from: e.SIMCUBE_MAIL_FROM ?? { name: 'SimCube', address: 'simcube@localhost' },
      /** Mails are written here as files if no mail server is configured. */
      directory: resolve(fromProjectRoot(e.SIMCUBE_DATA_DIR), 'mail'),
    },
  };
};
