import type { ContextUse } from '#adapters/adapter.ts';
import { contextUses } from '#adapters/context-use.ts';
import { WATCH_AT } from '#config/defaults.ts';
import { settingsFiles } from '#config/places.ts';
import { isTelling, markOf } from '#flows/watch-marks.ts';
import type { Edges } from '#flows/workspace.ts';
import { readRegularText } from '#lib/regular.ts';
import { homesOf } from '#store/homes.ts';
import type { Told } from './agent/event.ts';
import type { SessionRepository } from './agent/repository.ts';

/** After it the client waits no longer, and shows nothing. */
const LAST = 'SessionEnd';

/**
 * What the person is to be told at the end of a turn: that the context is nearly full, what was done about it, and how to go on. undefined: nothing.
 * The client waits for this, so the end of the session's file is read first, and all else is loaded only when that is telling. What is recorded here is
 * sent by the worker, since a remote may take its time.
 */
export async function noticeFor(edges: Edges, event: Told, repository: SessionRepository): Promise<string | undefined> {
  const { agent, session, path, cwd, name } = event;
  const seen = path && name !== LAST ? await contextUses[agent]?.(edges, { path, streams: [] }) : undefined;
  if (!path || !seen || !(await mayBeTelling(edges, event, repository, seen))) return undefined;
  const [{ workspace }, { contextUseOf, handOnWhenFull }] = await Promise.all([import('#flows/context.ts'), import('#flows/watch.ts')]);
  const ws = await workspace({ ...edges, cwd });
  const watched = { agent, session, path };
  const use = ws.repository && (await contextUseOf(ws, watched));
  return use && (await handOnWhenFull(ws, watched, use, { send: false }))?.notice;
}

/** False only where it is certain: the settings say nothing of it, and by the defaults it is not. */
async function mayBeTelling({ env, home }: Edges, { agent, session }: Told, repository: SessionRepository, use: ContextUse): Promise<boolean> {
  const { beside, apart } = homesOf(repository.commonDir, { env, home });
  const marks = await Promise.all([beside, apart].map((folder) => markOf(folder, { agent, session })));
  if (
    isTelling(
      use,
      WATCH_AT,
      marks.find((mark) => mark !== undefined),
    )
  )
    return true;
  const files = Object.values(settingsFiles({ env, home, repository }));
  const texts = await Promise.all(files.map((file) => readRegularText(file).catch(() => '')));
  // A key may be spelt with escapes.
  return env.RELAY_WATCH_AT !== undefined || texts.some((text) => /watch|window|\\u/.test(text));
}
