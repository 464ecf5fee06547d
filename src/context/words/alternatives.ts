/**
 * Names that stand for each other: who chooses one of a line drops the others of it for the same purpose. Only well-known names that
 * mean nothing else (no "go", "rest", "main"); what is not here is told apart by what the user says of it.
 */
const LINES = [
  'npm yarn pnpm bun',
  'pip poetry uv pipenv conda',
  'maven gradle bazel',
  'postgres postgresql mysql mariadb sqlite mongodb mongo oracle cockroachdb dynamodb duckdb',
  'redis valkey memcached hazelcast caffeine dragonfly',
  'rabbitmq kafka nats sqs pulsar rocketmq activemq celery',
  'graphql grpc trpc',
  'json yaml toml xml csv ini protobuf parquet avro',
  'jest vitest mocha jasmine',
  'pytest unittest nose',
  'playwright cypress selenium puppeteer',
  'react vue svelte angular preact',
  'fastify koa hono nestjs',
  'django flask fastapi',
  'webpack vite rollup esbuild turbopack',
  'eslint biome oxlint tslint',
  'axios undici superagent',
  'moment dayjs luxon date-fns',
  'redux zustand mobx pinia vuex recoil jotai',
  'tailwind bootstrap bulma',
  'prisma drizzle typeorm sequelize knex',
  'tokio async-std smol',
  'javascript typescript python golang rust java kotlin swift ruby php elixir',
  'bash zsh fish powershell',
  'tabs spaces',
  'snake_case camelcase kebab-case pascalcase',
  'jwt oauth saml',
  'docker podman',
  'aws azure gcp',
  'terraform pulumi cloudformation',
  'nginx caddy traefik haproxy',
  'bcrypt argon2 scrypt',
  'md5 sha1 sha256 sha512 blake3',
  'zip gzip zstd brotli lz4',
  'png jpeg jpg webp avif',
  'http-01 dns-01',
  'mit apache gpl bsd mpl',
  'dark light',
  'english german french spanish chinese japanese 中文 英文 日文',
];

/** For each name, in small letters, the line that it stands in. */
const LINE_OF: ReadonlyMap<string, string> = new Map(LINES.flatMap((line, i) => line.split(' ').map((name) => [name, `name ${i}`] as const)));

/** One name for two spellings of a thing. */
const SAME: Readonly<Record<string, string>> = { postgresql: 'postgres', mongo: 'mongodb', jpg: 'jpeg', space: 'spaces', tab: 'tabs' };

/** Which line a name stands in, and under which name; undefined: it is in none. */
export function alternativeOf(word: string): { type: string; value: string } | undefined {
  const name = word.toLowerCase();
  const type = LINE_OF.get(name) ?? LINE_OF.get(`${name}s`);
  return type === undefined ? undefined : { type, value: SAME[name] ?? name };
}
