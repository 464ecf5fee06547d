import * as z from 'zod';
import { WATCH_AT } from './defaults.ts';

/**
 * Every setting relay knows, with its meaning and default. docs/relayrc.schema.json is generated from this
 * (scripts/schema.ts), .relayrc.example shows each with a comment.
 */

const agentSettings = z.strictObject({
  roots: z
    .array(z.string().min(1))
    .nullish()
    .describe("Folders that hold this agent's sessions, looked at after the agent's own environment variable and before the usual places."),
  command: z.string().min(1).nullish().describe('Program that starts this agent, as a name on the PATH or an absolute path. Default: its usual name.'),
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

const customRule = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,11}$/, 'expected a small letter and up to 11 more small letters or digits')
    .describe('Short name of the kind, as it stands in the placeholder: [REDACTED:<id>:…].'),
  anchors: z
    .array(z.string().min(3, 'an anchor has at least 3 characters').max(64, 'an anchor has at most 64 characters'))
    .min(1, 'give at least one literal that stands in whatever the pattern matches')
    .max(50)
    .describe('Literals; the pattern is tried only where one of them stands, and must match it. ASCII case does not matter here.'),
  pattern: z.string().min(1).max(2000).describe('Regular expression of JavaScript. It reaches up to 1,000 characters before and behind an anchor.'),
  flags: z
    .string()
    .regex(/^[isum]*$/, 'only the flags i, s, u and m can be used')
    .optional()
    .describe('Flags of the pattern: i, s, u, m.'),
  group: z.number().int().min(1).optional().describe('Number of the group that is the secret. Default: all that the pattern matches.'),
  hits: z
    .array(z.string().min(1).max(4000))
    .min(1, 'give at least one text in which the rule must find something')
    .max(20)
    .describe('Made-up texts in which something must be found.'),
  misses: z.array(z.string().max(4000)).max(20).default([]).describe('Texts in which nothing must be found.'),
});

/**
 * What phrases can be added for: none that could hide what a user said. Their names are those of the brief's own lists (src/context/words).
 */
const phrases = {
  binding: 'Phrases that bind the agent, e.g. "hands off", 原样交付: sentences with them are constraints.',
  change: 'Phrases that say that something is different from what was said before, e.g. "on reflection".',
  refusal: 'Phrases with which a proposal is refused.',
  deciding: 'Phrases with which something is decided.',
  waiting: 'Phrases that say that something waits for somebody.',
  done: 'Phrases that claim that something is finished.',
} as const;
const phraseList = (purpose: keyof typeof phrases) => z.array(z.string().min(2).max(100)).max(500).default([]).describe(phrases[purpose]);

/** Kinds of personal data that can be asked for. */
export const personal = ['email', 'ipv4', 'ipv6', 'phone', 'host', 'user'] as const;

export const settingsSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the schema of this file.'),
  store: z
    .strictObject({
      remote: z
        .string()
        .min(1)
        .nullish()
        .describe("Where handoffs are pushed to and pulled from: a remote's name or a URL. Default: the repository's own remote."),
      namespace: z
        .enum(['refs/relay', 'refs/heads/relay'])
        .default('refs/relay')
        .describe('Where handoffs live on the remote. refs/heads/relay makes them ordinary branches, for hosts that refuse other refs.'),
    })
    .prefault({})
    .describe('Where handoffs are kept.'),
  push: z
    .strictObject({ auto: z.boolean().default(false).describe('Sends what hooks and `relay watch` record, to a remote to which a push was agreed to before.') })
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
  watch: z
    .strictObject({
      at: z
        .number()
        .int()
        .min(0)
        .max(100)
        .default(WATCH_AT)
        .describe('How full the context of a session is when it is handed on, in percent of the window: by `relay watch` and at the end of a turn. 0: never.'),
      standby: z.string().min(1).nullish().describe('Agent that the session is then imported into, e.g. codex. Without it the session is only recorded.'),
    })
    .prefault({})
    .describe('What happens when the context of a session is nearly full.'),
  link: z
    .strictObject({
      trailer: z
        .boolean()
        .default(false)
        .describe(
          'Git commits that a session makes get a line `Relay-Session: <agent>:<id>` in their message, from the next `relay hooks install` on. Without it sessions are found all the same.',
        ),
    })
    .prefault({})
    .describe('How commits and sessions are linked.'),
  context: z
    .strictObject({
      words: z
        .strictObject({
          binding: phraseList('binding'),
          change: phraseList('change'),
          refusal: phraseList('refusal'),
          deciding: phraseList('deciding'),
          waiting: phraseList('waiting'),
          done: phraseList('done'),
        })
        .prefault({})
        .describe('Phrases of your own language or team that a brief looks for, beside the English and Chinese ones that it knows. Plain text, any case.'),
    })
    .prefault({})
    .describe('What the next agent gets to know of a session.'),
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
          names: z.array(z.string().min(1)).default([]).describe('Environment variables whose values are secrets, beside those whose names or values say so.'),
          files: z
            .array(z.string().min(1))
            .default([])
            .describe('Files all of whose values are secrets (NAME=value lines, JSON), beside .env* and the files in which clients keep credentials.'),
        })
        .prefault({})
        .describe('Where the secrets are that relay looks for by value. They are read into memory only.'),
      rules: z.array(customRule).max(100).default([]).describe('Rules of your own. They are tried when the settings are read.'),
      pii: z
        .array(z.enum(personal))
        .default([])
        .describe('Personal data to be redacted too: e-mail and IP addresses, phone numbers, names of internal hosts, your own names.'),
      paranoid: z
        .boolean()
        .default(false)
        .describe('Redacts whatever looks random, too, though no rule knows it. What one file turns on no other can turn off.'),
      allow: z
        .strictObject({
          fingerprints: z
            .array(z.string().regex(/^[a-z0-9]{1,12}:[0-9a-f]{8}$/, 'expected <kind>:<8 hex digits>, as reports show it'))
            .default([])
            .describe("Single values that are no secrets, by fingerprint. Only in this clone's own settings, since each clone has other fingerprints."),
          patterns: z
            .array(z.string().min(1).max(2000))
            .default([])
            .describe('Regular expressions; a value that one of them matches as a whole is no secret, unless it is known to be one.'),
          paths: z
            .array(z.string().min(1).max(500))
            .default([])
            .describe(
              'Places where only known values are redacted: globs over <stream>/<JSON pointer>, e.g. main/toolUseResult/**, or over a file given to relay redact.',
            ),
        })
        .prefault({})
        .describe('What is not redacted.'),
    })
    .prefault({})
    .describe('What is redacted, beside what always is. Lists of all files are joined: no file can loosen what another asks for.'),
});

export type Settings = Omit<z.output<typeof settingsSchema>, '$schema'>;
/** One file's or layer's settings, before defaults. */
export type SettingsLayer = z.input<typeof settingsSchema>;

/** Lists that are joined over all layers instead of replaced, since only the strictest is safe; of phrases, since each file knows its own. */
export const joined: readonly string[] = [
  ...Object.keys(phrases).map((purpose) => `context.words.${purpose}`),
  'share.exclude',
  'redact.known.names',
  'redact.known.files',
  'redact.rules',
  'redact.pii',
  'redact.allow.fingerprints',
  'redact.allow.patterns',
  'redact.allow.paths',
];

/** Switches that stay on once any layer turns them on. */
export const lasting: readonly string[] = ['redact.paranoid'];

/** Settings that mean something in one clone only. */
export const ofClone: readonly string[] = ['redact.allow.fingerprints'];

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

/** A schema without its default, optional or nullable mark. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrap(schema.unwrap() as z.ZodType);
  return schema;
}
