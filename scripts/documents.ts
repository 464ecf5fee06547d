import * as z from 'zod';

/**
 * What each command prints under --json. Fields may be added later, none is taken away or changed. Published as
 * docs/output.schema.json; test/e2e/documents.test.ts holds the built program to it.
 */
const handoff = z.string().describe('<writer>/<session>');
const time = z.string().describe('ISO 8601');
/** What was purged, by whom and when. */
const purge = { handoff, by: z.string().describe('writer'), at: time };
const count = z.number().int().min(0);
const remote = z.string().nullable().describe('URL without user name and password; null where there is none');

const redactions = z.strictObject({ total: count, byKind: z.record(z.string(), count) });
const finding = z.strictObject({
  kind: z.string(),
  fingerprint: z.string().describe('first 8 hex of an HMAC under the key of this clone'),
  record: z.string().describe('which record, file or line it stood in'),
  path: z.string().describe('JSON pointer within it, "" for the whole; a key stands as its parent with " (key)"'),
  count,
});
const unlisted = count.optional().describe('how many of those that were counted are in no finding, since there are so many');
const card = {
  handoff,
  version: z.number().int().min(1),
  author: z.string(),
  agent: z.string(),
  session: z.string().describe("the client's own id"),
  title: z.string(),
  updated: time,
};
const drift = z.array(
  z.strictObject({
    path: z.string().describe("relative to the project's root"),
    state: z.enum(['same', 'changed', 'missing', 'renamed']),
    to: z.string().optional().describe('where a renamed file is now'),
  }),
);
const row = z.strictObject({ stream: z.string(), record: count, role: z.string(), text: z.string() });
const unaccepted = z.array(
  z.strictObject({ file: z.string().describe('which asks for it'), key: z.string(), value: z.string().describe('as JSON, without user name and password') }),
);

const purgedImports = z
  .array(z.strictObject({ agent: z.string(), session: z.string(), path: z.string() }))
  .describe('sessions of this machine that were imported from what was purged and still hold it');
const exposed = z
  .array(
    z.strictObject({
      handoff,
      version: z.number().int().min(1),
      commit: z.string(),
      values: z.array(z.string()).describe('<kind>:<fingerprint> of each'),
      purge: z.string().describe('the command that takes this version out of the history; other versions may hold the same'),
      purgeValue: z.string().describe('the command that takes a value out of all of them; it is piped in'),
    }),
  )
  .describe('versions that were sent earlier with a value that is known to be secret only now');

const resume = z.strictObject({ command: z.string(), args: z.array(z.string()), cwd: z.string() });
const checks = z.array(
  z.strictObject({
    check: z.string(),
    state: z.enum(['ok', 'warning', 'broken', 'missing']).describe('missing: not there, and need not be'),
    found: z.string(),
    fix: z.string().nullable().describe('a command, or a step in words'),
  }),
);
const contextUse = {
  agent: z.string(),
  session: z.string().describe("the client's own id"),
  tokens: count.describe('that the model read last'),
  window: count.describe('that it can read'),
  percent: z.number(),
};

/** A session behind a commit. */
const behind = {
  handoff: handoff.nullable().describe("null: the commit's message names the session, and no handoff of it is known here"),
  version: z.number().int().min(1).nullable().describe('newest one when the commit was made, or the first after it; null: none was made yet, or is known here'),
  agent: z.string(),
  session: z.string().describe("the client's own id"),
  how: z.enum(['commit', 'rewrite', 'trailer', 'tree', 'patch', 'message', 'files']).describe('what leads from the commit to the session, see docs/format.md'),
};
const content = {
  manifest: z.looseObject({ format: z.string(), format_version: z.number() }).describe('session.json, see docs/format.md'),
  records: z.array(z.looseObject({ stream: z.string(), record: count, type: z.string() })).describe('records without native, see docs/format.md'),
};

const point = {
  text: z.string(),
  cites: z.array(z.string()).describe('#n what was said, S#n what stands beside it, E#n what was done'),
  origin: z.enum(['user', 'assistant', 'operation', 'document', 'agent', 'summary', 'relay']),
  mark: z.string().describe('what is to be thought of it, e.g. (to be confirmed)'),
};
const points = z.array(z.strictObject(point));

export const documents = {
  push: z.strictObject({
    handoffs: z.array(
      z.strictObject({
        handoff,
        version: z.number().int().min(1),
        commit: z.string(),
        agent: z.string(),
        session: z.string(),
        title: z.string(),
        records: count,
        bytes: count,
        redactions,
        uncommitted: z.array(z.string()).describe('files that the session changed and that no commit on the remote holds'),
        findings: z.array(finding).describe('what was redacted in what is new; the first 100,000'),
        unlisted,
        images: count.optional().describe('images among what is new; what they show is not looked at for secrets'),
        unreadable: count.optional().describe('lines among what is new that are no records; kept as they are'),
      }),
    ),
    sent: z.boolean(),
    remote,
    exposed,
    sentBytes: count.optional().describe('as git reports them'),
  }),
  pull: z.strictObject({
    new: z.array(z.strictObject(card)),
    rewritten: z.array(handoff).describe('replaced on the remote; the old one is kept here'),
    purged: z
      .array(
        z.strictObject({
          ...purge,
          last: count.describe('highest number that a version of it had'),
          gone: z.boolean().describe('no version of it was left'),
          versions: z.array(count).describe('numbers of those that went, where others are left'),
          edited: z.array(count).describe('numbers of those out of which a value was taken'),
          kept: z.boolean().describe('all of an own one: it stays in this clone and is not sent any more'),
          imports: purgedImports,
        }),
      )
      .describe('purged by others; what was purged is gone here too, unless it says kept'),
    refused: z
      .array(
        z.strictObject({ handoff: handoff.optional(), ref: z.string().optional().describe('of an index, where it is none of a handoff'), reason: z.string() }),
      )
      .describe('what git does not take from the remote; the rest was fetched'),
  }),
  purge: z.strictObject({
    dryRun: z.boolean(),
    remote,
    tombstone: z.string().nullable().describe('id of what other clones follow; null where nothing was purged'),
    handoffs: z.array(
      z.strictObject({
        handoff,
        gone: z.boolean().describe('no version of it is left'),
        versions: z.array(count).describe('those that went, or out of which the value was taken'),
        here: z.boolean(),
        remote: z.boolean(),
      }),
    ),
    refs: z
      .array(z.strictObject({ ref: z.string(), gone: z.boolean().describe('its name held the value; false: the value was taken out of it') }))
      .describe('refs of the remote that are no handoff’s'),
    uneditable: z.array(handoff).describe('gone because the value stands where nothing can be edited'),
    goOn: z.array(handoff).describe('went on from it, and keep their own copy of the conversation'),
    refused: z.array(z.strictObject({ ref: z.string(), reason: z.string() })).describe('refs of the remote that still hold it'),
    reachable: z.array(z.string()).describe('refs of the remote under other names that point at what was purged'),
    elsewhere: z.array(z.string()).describe('other remotes that had it'),
    forgotten: count.describe('how many more had it of which this clone has forgotten the address'),
    settings: z.array(z.string()).describe('settings of this clone that hold the value; they are not edited'),
    remembered: z.boolean().optional().describe('of a value: it is taken out of later pushes too'),
  }),
  list: z.strictObject({
    handoffs: z.array(
      z.strictObject({
        ...card,
        commit: z.string(),
        records: count,
        state: z.enum(['own', 'fetched', 'remote', 'gone']),
        purged: z
          .strictObject({ by: z.string().describe('writer'), at: time })
          .optional()
          .describe('an own one that others purged as a whole: kept here, not sent any more'),
      }),
    ),
  }),
  log: z.strictObject({
    handoff,
    versions: z.array(
      z.strictObject({
        version: z.number().int().min(1),
        commit: z.string(),
        date: time,
        records: count,
        bytes: count,
        redactions: count,
        replaced: z.literal(true).optional().describe('never sent, and the session has become shorter since: kept in this clone only'),
      }),
    ),
  }),
  brief: z.strictObject({
    handoff: handoff.nullable().describe('null: a session of this machine, told as it is'),
    version: z.number().int().min(1).nullable(),
    status: z.enum(['draft', 'verified']),
    source: z.strictObject({ agent: z.string(), session: z.string(), cwd: z.string(), last: z.string() }),
    requests: points,
    decisions: points.describe('what binds, and what was decided, with the reason'),
    rejected: points,
    files: z.array(
      z.strictObject({
        ...point,
        path: z.string(),
        state: z.enum(['read', 'created', 'changed', 'deleted', 'renamed', 'none']).describe('net over the session; none: changed and taken back'),
        from: z.string().optional(),
      }),
    ),
    errors: points,
    state: points,
    pending: points,
    next: points,
    questions: points,
    limitations: points,
    corrections: points,
    checks: z.array(
      z.strictObject({
        command: z.string(),
        cite: z.string(),
        record: z.strictObject({ stream: z.string(), record: count }),
        result: z.enum(['passed', 'failed', 'running', 'unknown']),
        numbers: z.array(z.string()),
        afterLastEdit: z.boolean(),
      }),
    ),
  }),
  'log <commit>': z.strictObject({ commit: z.string(), handoffs: z.array(z.strictObject(behind)) }),
  sessions: z.strictObject({
    sessions: z.array(
      z.strictObject({
        agent: z.string(),
        id: z.string(),
        title: z.string(),
        cwd: z.string(),
        created: time,
        updated: time,
        records: count,
        path: z.string(),
      }),
    ),
  }),
  import: z.strictObject({
    agent: z.string(),
    session: z.string().describe('id of the new session'),
    path: z.string().describe('its main file'),
    title: z.string(),
    resume,
    view: z.strictObject({ tokens: count, items: count, bytes: count }).describe('what the model gets'),
    loss: z.array(
      z.strictObject({
        record: count.nullable().describe('null: the session as a whole'),
        stream: z.string().optional(),
        kind: z.string(),
        action: z.enum(['changed', 'shortened', 'left-out', 'added']),
        reason: z.string(),
      }),
    ),
    drift,
    already: z.boolean().optional().describe('true: this very version was imported before, nothing was written'),
    from: z.string(),
    notes: z.array(z.string()),
  }),
  check: z.strictObject({
    handoff,
    version: z.number().int().min(1),
    drift,
    notCompared: count.optional().describe('files of a very long list that were not looked at'),
  }),
  show: z.strictObject({ handoff, version: z.number().int().min(1), ...content }),
  'show <commit>': z.strictObject({
    commit: z.string(),
    handoffs: z
      .array(z.strictObject({ ...behind, manifest: content.manifest.optional(), records: content.records.optional() }))
      .describe('without manifest and records: not recorded here'),
  }),
  diff: z.strictObject({
    from: z.string(),
    to: z.string(),
    records: z.strictObject({ added: z.array(row), changed: z.array(row), removed: z.array(row) }),
    files: z.array(z.strictObject({ path: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
    others: z.strictObject({ added: count, removed: count }).describe('records that are no messages'),
  }),
  redact: z
    .strictObject({
      engine: z.string().describe('version of the engine'),
      rules: z.string().describe('hash of its rules, those of the settings among them'),
      total: count,
      byKind: z.record(z.string(), count),
      findings: z
        .array(finding.extend({ file: z.string().optional().describe('as it was named; none for what was piped in') }))
        .describe('the first 100,000; the counts are of all'),
      unlisted,
      incomplete: z
        .literal(true)
        .optional()
        .describe('something could not be examined (binary, compressed, UTF-16), so that nothing found does not mean that nothing is there'),
    })
    .describe('with --check, and what --report writes'),
  redactKinds: z
    .strictObject({
      kinds: z.array(
        z.strictObject({
          id: z.string(),
          name: z.string().describe('in words'),
          family: z.string(),
          setting: z.string().optional().describe('the setting that asks for it, e.g. redact.rules; without: it is always looked for'),
        }),
      ),
    })
    .describe('redact --kinds: the built-in ones, and those that the settings ask for here'),
  redactAllow: z
    .strictObject({ allowed: z.string().describe('the fingerprint'), added: z.boolean().describe('false: it was allowed already') })
    .describe('redact --allow'),
  status: z.strictObject({
    unrecorded: z
      .array(
        z.strictObject({
          agent: z.string(),
          session: z.string().describe("the client's own id"),
          version: z.number().int().min(1).nullable().describe('the newest one that is recorded; null: there is none'),
        }),
      )
      .describe('sessions of this project of which there is more on disk than is recorded'),
    unsent: z.array(handoff),
    purged: z
      .array(
        z.strictObject({
          ...purge,
          imported: z.string().optional().describe('the purged version that its session was imported from'),
        }),
      )
      .describe('own ones that stay here and are not sent, since they were purged or were imported from what was'),
    purgedImports,
    exposed,
    writer: z.string().nullable().describe('null: none is made yet'),
    remote,
    remoteProblem: z.string().optional(),
    hooks: z.strictObject({
      installed: z.boolean().describe("git's hooks are in place"),
      agents: z.array(
        z.strictObject({ agent: z.string(), installed: z.boolean(), runs: z.boolean().optional().describe('absent: its client cannot be asked') }),
      ),
    }),
    recording: z.strictObject({
      last: time.nullable().describe('when something was recorded last by itself'),
      waiting: count.describe('events that wait to be recorded'),
      sessions: count.describe('sessions of this clone that are stored, sent or not'),
      not: z.array(z.strictObject({ why: z.string(), fix: z.string().describe('a command or a step') })).describe('why nothing is recorded, or not all'),
    }),
    unaccepted,
  }),
  doctor: z.strictObject({ repository: checks, agents: z.array(z.strictObject({ agent: z.string(), checks })) }),
  watch: z
    .strictObject({
      sessions: z.array(z.strictObject(contextUse)),
      handedOn: z.array(
        z.strictObject({
          ...contextUse,
          handoff: z.string().optional().describe('<writer>/<session>@<n>; absent where it may not be stored, or could not be'),
          sent: z.boolean(),
          imported: z.strictObject({ agent: z.string(), session: z.string(), resume }).optional().describe('what it became in the standby agent'),
          problems: z.array(z.string()),
          notice: z.string().describe('all of it for people; its last line is the command that goes on'),
        }),
      ),
    })
    .describe('with --once; without it an entry of handedOn a line'),
  hooks: z
    .strictObject({
      git: z.strictObject({
        installed: z.boolean().describe('every hook is in place, and so is what it calls'),
        hooks: z.array(
          z.strictObject({
            event: z.enum(['prepare-commit-msg', 'post-commit', 'post-rewrite', 'pre-push']),
            path: z.string().describe('file that calls relay'),
            state: z
              .enum(['ok', 'changed', 'gone', 'outdated', 'off', 'missing'])
              .describe(
                'changed: by others, but it still calls relay; outdated: the hooks here are set up in another way since; off: not executable; missing: git calls this file in another work tree, and relay is not in it',
              ),
            workTree: z.string().optional().describe('of missing: the work tree'),
          }),
        ),
        shim: z.enum(['ok', 'old', 'gone']).describe('what the hooks call; old: of another version of relay'),
        starts: z.string().optional().describe('which programs these start, where not those that they should'),
        waiting: count.describe('events that wait to be recorded'),
      }),
    })
    .describe('hooks install, hooks status'),
  hooksUninstall: z
    .strictObject({
      restored: z.array(z.string()).describe('files that relay was taken out of'),
      left: z.array(z.string()).describe('hooks from before whose place was taken by others since: they stay where relay put them'),
      failed: z.array(z.strictObject({ why: z.string(), fix: z.string().optional() })).describe('what could not be put back'),
    })
    .describe('hooks uninstall'),
  init: z.strictObject({ writer: z.string(), remote, store: z.string().describe('path of the side repository'), unaccepted }),
  error: z
    .strictObject({ error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().nullable() }) })
    .describe('on stderr, with the exit code'),
};
