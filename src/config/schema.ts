import * as z from 'zod';

/**
 * Every setting relay knows, with its meaning and default. docs/relayrc.schema.json is generated from this
 * (scripts/schema.ts), .relayrc.example shows each with a comment.
 */

const agentSettings = z.strictObject({
  roots: z
    .array(z.string().min(1))
    .optional()
    .describe("Folders that hold this agent's sessions, looked at after the agent's own environment variable and before the usual places."),
  command: z.string().min(1).optional().describe('Program that starts this agent, as a name on the PATH or an absolute path. Default: its usual name.'),
  window: z
    .number()
    .int()
    .min(1000)
    .optional()
    .describe("Context window in tokens. Default: the figure of the agent's own configuration, else one that relay knows."),
  reserve: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Tokens of the window that stay free for what comes after the import. Default: about a quarter of the window.'),
});

const exclusion = z
  .strictObject({
    agent: z.string().min(1).optional().describe('Agent, e.g. codex.'),
    path: z.string().min(1).optional().describe('The folder that the session worked in, or one above it.'),
    title: z.string().min(1).optional().describe('Words that stand in the title.'),
  })
  .refine((rule) => rule.agent !== undefined || rule.path !== undefined || rule.title !== undefined, 'names nothing: give agent, path or title');

export const settingsSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the schema of this file.'),
  store: z
    .strictObject({
      remote: z
        .string()
        .min(1)
        .optional()
        .describe("Where handoffs are pushed to and pulled from: a remote's name or a URL. Default: the repository's own remote."),
      namespace: z
        .enum(['refs/relay', 'refs/heads/relay'])
        .default('refs/relay')
        .describe('Where handoffs live on the remote. refs/heads/relay makes them ordinary branches, for hosts that refuse other refs.'),
    })
    .prefault({})
    .describe('Where handoffs are kept.'),
  push: z
    .strictObject({ auto: z.boolean().default(false).describe('Reserved for snapshots by hooks, which come in a later version. Has no effect yet.') })
    .prefault({})
    .describe('What `relay push` does.'),
  pull: z
    .strictObject({
      days: z
        .number()
        .int()
        .min(0)
        .max(36_500)
        .default(30)
        .describe('`relay pull` fetches handoffs that are new in the last so many days; older ones when they are asked for.'),
    })
    .prefault({})
    .describe('What `relay pull` does.'),
  share: z
    .strictObject({
      exclude: z
        .array(exclusion)
        .default([])
        .describe('Sessions that never leave this machine. A session is excluded when all that one entry names is true of it.'),
    })
    .prefault({})
    .describe('What may be shared.'),
  agents: z
    .record(z.string().regex(/^[a-z][a-z0-9-]*$/), agentSettings)
    .default({})
    .describe('Settings of single agents, by name: claude-code, codex.'),
  redact: z
    .strictObject({
      known: z
        .strictObject({
          names: z.array(z.string().min(1)).default([]).describe('Environment variables whose values are secrets, beside those whose names say so.'),
          files: z.array(z.string().min(1)).default([]).describe('Files whose values are secrets (NAME=value lines), beside .env* and the like.'),
        })
        .prefault({})
        .describe('Where the secrets are that relay looks for by value. They are read into memory only.'),
    })
    .prefault({})
    .describe('What is redacted, beside what always is. Lists of all files are joined: no file can loosen what another asks for.'),
});

export type Settings = Omit<z.output<typeof settingsSchema>, '$schema'>;
/** One file's or layer's settings, before defaults. */
export type SettingsLayer = z.input<typeof settingsSchema>;

/** Lists that are joined over all layers instead of replaced, since only the strictest is safe. */
export const joined: readonly string[] = ['share.exclude', 'redact.known.names', 'redact.known.files'];

/** Settings of a repository's .relayrc that count only after this clone accepted their exact value; `*` stands for any agent. */
export const guarded: readonly string[] = ['store.remote', 'store.namespace', 'push.auto', 'agents.*.command', 'agents.*.roots'];

/** The same for these agents, e.g. agents.codex.command. */
export const acceptable = (agents: readonly string[]): string[] =>
  guarded.flatMap((key) => (key.includes('*') ? agents.map((agent) => key.replace('*', agent)) : [key]));

/** Dotted paths of all settings, e.g. store.remote, agents.*.window. */
export function settingPaths(schema: z.ZodType = settingsSchema, at = ''): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([key, of]) => settingPaths(of, at ? `${at}.${key}` : key));
  if (inner instanceof z.ZodRecord) return settingPaths(inner.valueType as z.ZodType, `${at}.*`);
  return at === '$schema' ? [] : [at];
}

/** The schema at a path of keys; undefined where there is none. */
export function schemaAt(path: readonly PropertyKey[], schema: z.ZodType = settingsSchema): z.ZodType | undefined {
  const inner = unwrap(schema);
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  if (inner instanceof z.ZodObject) {
    const next = (inner.shape as Record<string, z.ZodType>)[String(key)];
    return next && schemaAt(rest, next);
  }
  if (inner instanceof z.ZodRecord) return schemaAt(rest, inner.valueType as z.ZodType);
  if (inner instanceof z.ZodArray) return schemaAt(rest, inner.element as z.ZodType);
  return undefined;
}

/** A schema without its default or optional mark. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional) return unwrap(schema.unwrap() as z.ZodType);
  return schema;
}
