import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readEnv } from '../../platform/env/index.ts';
import { admits } from './node-range.ts';
import { projectRoot, sourceFiles } from './source-tree.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const documentsOf = (path: string): unknown[] =>
  parseAllDocuments(read(path), { merge: true }).map((document) => {
    expect([path, document.errors]).toEqual([path, []]);
    return document.toJS();
  });

const files = sourceFiles((path) => path.startsWith('deploy/'));
const operations = read('docs/operations.md');
const dockerfile = read('deploy/Dockerfile');
const unit = read('deploy/systemd/simcube@.service');
const start = read('scripts/setup.mjs');

type Values = Record<string, string>;
/** What an operator adds: the names that files leave open, with values as the READMEs have them made. */
const secrets: Values = { POSTGRES_PASSWORD: 'a1b2c3', SIMCUBE_SECRET_KEY: 'ab'.repeat(32) };
const added: Values = { ...secrets, SIMCUBE_PUBLIC_URL: 'https://console.example.com' };
const filled = (value: unknown): string =>
  String(value).replaceAll(/\$\{(\w+):\?\}/g, (_, name: string) => added[name] ?? `${name} is unknown`);
const strings = (values: Record<string, unknown>): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value)]));

/** `ENV` of the image. */
const image = parseEnv(
  (/^ENV ((?:.*\\\n)*.*)/m.exec(dockerfile)?.[1] ?? '').replaceAll(/ \\\n\s*/g, '\n'),
) as Values;
const exposed = (/^EXPOSE (.*)$/m.exec(dockerfile)?.[1] ?? '').split(' ');

interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  environment: Record<string, unknown>;
  ports?: string[];
  volumes?: string[];
  stop_grace_period?: string;
}
const [compose] = documentsOf('deploy/compose/compose.yaml') as [
  { services: Record<string, Service>; volumes: Record<string, null> },
];
const { database, ...composed } = compose.services;

interface Container {
  image: string;
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  ports: { name: string; containerPort: number; protocol: string }[];
  livenessProbe: { httpGet: { path: string; port: string } };
  readinessProbe: { httpGet: { path: string; port: string } };
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data: Values;
  spec: {
    selector: Record<string, unknown> & { matchLabels?: Values };
    ports: { port: number; targetPort: string; protocol: string }[];
    strategy: { type: string; rollingUpdate?: { maxUnavailable: number } };
    template: { metadata: { labels: Values; annotations: Values }; spec: Pod };
  };
}
interface Pod {
  containers: [Container];
  terminationGracePeriodSeconds: number;
  enableServiceLinks?: boolean;
}
const manifests = documentsOf('deploy/kubernetes/simcube.yaml') as Manifest[];
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const deployments = ofKind('Deployment').map(({ metadata, spec }) => ({
  name: metadata.name,
  selected: spec.selector.matchLabels,
  ...spec.template.metadata,
  strategy: spec.strategy,
  pod: spec.template.spec,
  container: spec.template.spec.containers[0],
}));
const secretNames: Values = { DATABASE_URL: 'postgres://simcube:a1b2c3@database/simcube', ...secrets };

/** What a cluster tells a container of each service, as Docker's links did. */
const serviceLinks: Values = Object.fromEntries(
  ofKind('Service')
    .map(({ metadata }) => metadata.name.toUpperCase().replaceAll('-', '_'))
    .flatMap((name) => [
      [`${name}_SERVICE_HOST`, '10.0.0.1'],
      [`${name}_PORT`, 'tcp://10.0.0.1:80'],
    ]),
);

interface Process {
  where: string;
  role: string;
  values: Values;
}
const processes: Process[] = [
  ...Object.entries(composed).map(([name, { environment }]) => ({
    where: 'compose',
    role: name,
    values: { ...image, ...strings(environment) },
  })),
  ...deployments.map(({ labels, container, pod }) => ({
    where: 'kubernetes',
    role: labels['role'] ?? '',
    values: {
      ...(pod.enableServiceLinks === false ? {} : serviceLinks),
      ...image,
      ...ofKind('ConfigMap')[0]?.data,
      ...Object.fromEntries(
        container.env.map(({ name, value, valueFrom }) => [
          name,
          value ?? secretNames[valueFrom?.secretKeyRef.key ?? ''] ?? '',
        ]),
      ),
    },
  })),
  ...['web', 'worker', 'aaa'].map((role) => ({
    where: 'systemd',
    role,
    values: {
      ...secretNames,
      ...(parseEnv(
        (/^Environment=(.*)$/m.exec(unit)?.[1] ?? '').replaceAll('%i', role).replaceAll(' ', '\n'),
      ) as Values),
    },
  })),
];

describe.each(processes)('the process $role of $where', ({ role, values }) => {
  const env = readEnv(values);

  it('has settings that the server takes, and no unknown one', () => {
    expect(env.warnings).toEqual([]);
    expect(env).toMatchObject({ roles: [role], demo: false, dataDir: '/var/lib/simcube' });
    expect([env.databaseUrl, env.secretKey]).not.toContain(undefined);
  });
});

const portsOfRole: Record<string, string[]> = {
  web: ['8080/tcp', '8090/tcp'],
  worker: ['8090/tcp'],
  aaa: ['1812/udp', '1813/udp', '8090/tcp'],
};

const containers = processes.filter(({ where }) => where !== 'systemd');

describe.each(containers)('the container $role of $where', ({ values }) => {
  it('listens on all addresses, at the ports that the image exposes', () => {
    const { http, management, radius } = readEnv(values);
    expect([http.host, management.host, radius.host]).toEqual(['0.0.0.0', '0.0.0.0', '0.0.0.0']);
    const listening = [`${http.port}/tcp`, `${management.port}/tcp`, `${radius.authPort}/udp`];
    expect(exposed).toEqual([...listening, `${radius.acctPort}/udp`]);
  });
});

describe('deploy', () => {
  it('has every role once in each way', () => {
    for (const where of ['compose', 'kubernetes', 'systemd']) {
      const roles = processes.filter((process) => process.where === where).map(({ role }) => role);
      expect([where, roles.length, new Set(roles)]).toEqual([where, 3, new Set(['aaa', 'web', 'worker'])]);
    }
  });

  it('publishes the ports of each role and no other, RADIUS alone to everywhere', () => {
    for (const [role, { ports = [] }] of Object.entries(composed)) {
      const inside = ports
        .map((port) => /(\d+)(\/udp)?$/.exec(port))
        .map((found) => `${found?.[1]}${found?.[2] ?? '/tcp'}`);
      expect([role, inside.toSorted()]).toEqual([role, portsOfRole[role]?.toSorted()]);
      expect(ports.filter((port) => !port.startsWith('127.0.0.1:') && !port.endsWith('/udp'))).toEqual([]);
    }
    for (const { labels, container } of deployments) {
      const inside = container.ports.map(
        ({ containerPort, protocol }) => `${containerPort}/${protocol.toLowerCase()}`,
      );
      expect(inside.toSorted()).toEqual(portsOfRole[labels['role'] ?? '']?.toSorted());
    }
    const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((one) => one.split(':')[0] ?? ''),
    );
    expect(new Set(mounted)).toEqual(new Set(Object.keys(compose.volumes)));
  });

  it('has services and probes that find their pods and ports', () => {
    const services = ofKind('Service');
    expect(services.length).toBe(2);
    for (const { spec } of services) {
      const found = deployments.filter(({ labels }) =>
        Object.entries(spec.selector).every(([name, value]) => labels[name] === value),
      );
      expect(found.length).toBe(1);
      const named = found.flatMap(({ container }) =>
        container.ports.map(({ name, protocol }) => `${name} ${protocol}`),
      );
      for (const { targetPort, protocol } of spec.ports) expect(named).toContain(`${targetPort} ${protocol}`);
    }
    for (const { selected, labels, annotations, container } of deployments) {
      expect(labels).toEqual(selected);
      expect(annotations['prometheus.io/port']).toBe(image['SIMCUBE_MANAGEMENT_PORT']);
      for (const { httpGet } of [container.livenessProbe, container.readinessProbe]) {
        expect(operations).toContain(`| \`${httpGet.path}\``);
        expect(container.ports.map(({ name }) => name)).toContain(httpGet.port);
      }
    }
  });

  it('gives a process the time that it needs to end', () => {
    const limits = [...read('apps/server/src/main/server.ts').matchAll(/EndsWithinMs = ([\d_]+);/g)];
    expect(limits.length).toBe(2);
    const needed = limits.reduce((sum, [, ms]) => sum + Number(ms?.replaceAll('_', '')) / 1000, 0);
    const given = [
      Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]),
      ...deployments.map(({ pod }) => pod.terminationGracePeriodSeconds),
      ...Object.values(compose.services).map((one) =>
        Number(/^(\d+)s$/.exec(one.stop_grace_period ?? '')?.[1]),
      ),
    ];
    expect(given.filter((seconds) => !(seconds > needed))).toEqual([]);
  });

  it('upgrades a cluster pod by pod, as the operations manual says', () => {
    expect(operations).toContain('needs no stop');
    const rolling = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } };
    for (const { strategy } of deployments) expect(strategy).toMatchObject(rolling);
  });

  it('starts the program that is built, with the flags of npm start', () => {
    const flags = [
      ...(/^export const nodeFlags = \[(.*)\];$/m.exec(start)?.[1]?.matchAll(/'([^']+)'/g) ?? []),
    ].map(([, flag]) => flag);
    const wanted = [...flags, 'apps/server/dist/server.js'];
    expect(wanted.length).toBeGreaterThan(1);
    expect(JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? 'null')).toEqual(['node', ...wanted]);
    expect(/^ExecStart=(.*)$/m.exec(unit)?.[1]).toBe(`/usr/bin/node ${wanted.join(' ')}`);
    expect(read('scripts/build.mjs')).toContain("server: 'src/main/server.ts'");
    expect(operations).toContain(`node ${wanted.join(' ')}`);
  });

  it('uses a Node.js that the product admits, and a PostgreSQL that it supports', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const versions = [...dockerfile.matchAll(/^FROM node:(\d+)-slim/gm)].map(([, major]) => Number(major));
    expect(versions).toEqual([versions[0], versions[0]]);
    expect(admits(engines.node, [versions[0] ?? 0, 0, 0])).toBe(true);
    expect(read('deploy/README.md')).toContain(`Node.js ${versions[0]}`);
    const oldest = Number(/any PostgreSQL (\d+) or newer/.exec(operations)?.[1]);
    expect(Number(/^postgres:(\d+)$/.exec(database?.image ?? '')?.[1])).toBeGreaterThanOrEqual(oldest);
  });

  it('runs as a user without rights, and without a shell', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile.match(/^(RUN|CMD|ENTRYPOINT) (?!\[)/gm)).toBeNull();
    expect(unit).toMatch(/^User=simcube$/m);
  });

  it('names images without a registry, and files that exist', () => {
    const images = [
      ...Object.values(compose.services).map((one) => one.image),
      ...deployments.map(({ container }) => container.image),
      ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name),
    ];
    expect(images.filter((name) => !/^[a-z]+(:[\w.-]+)?$/.test(name ?? ''))).toEqual([]);
    expect(Object.values(composed).map(({ build }) => build)).toEqual(
      Object.values(composed).map(() => ({ context: '../..', dockerfile: 'deploy/Dockerfile' })),
    );
  });

  it('contains no secret', () => {
    const given = [
      ...Object.values(compose.services).map(({ environment }) => environment),
      image,
      ...ofKind('ConfigMap').map(({ data }) => data),
      ...deployments.map(({ container }) =>
        Object.fromEntries(container.env.map(({ name, value }) => [name, value ?? ''])),
      ),
    ];
    const named = given
      .flatMap((values) => Object.entries(values))
      .filter(([name, value]) => /PASSWORD|SECRET|DATABASE_URL|SMTP_URL/.test(name) && value !== '');
    expect(named.length).toBeGreaterThan(6);
    expect(
      named.filter(
        ([, value]) => !/^(postgres:\/\/simcube:)?\$\{\w+:\?\}(@database\/simcube)?$/.test(String(value)),
      ),
    ).toEqual([]);
    expect(ofKind('Secret')).toEqual([]);
    expect(
      files.filter(({ text }) => /[0-9a-f]{32}|BEGIN [A-Z ]*PRIVATE KEY/i.test(text)).map(({ path }) => path),
    ).toEqual([]);
  });

  it('has a README that names existing commands, files and settings', () => {
    const text = read('deploy/README.md');
    const commands = [...text.matchAll(/cli\.js (\w+ [\w-]+)/g)].map(([, command]) => command);
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.filter((command) => !operations.includes(`\`${command}`))).toEqual([]);
    const named = [...text.matchAll(/(?<![\w/.])deploy\/(?!compose\/\.env)[\w/.@-]+/g)].map(([path]) => path);
    expect(named.filter((path) => !files.some((file) => file.path === path))).toEqual([]);
    const settings = [...text.matchAll(/SIMCUBE_\w+/g)].map(([name]) => name);
    expect(
      settings.filter((name) => name !== 'SIMCUBE_ENV_FILE' && !operations.includes(`\`${name}\``)),
    ).toEqual([]);
  });
});
