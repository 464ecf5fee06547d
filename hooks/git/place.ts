import { adapters } from '#adapters/registry.ts';
import { needRepository, type Workspace } from '#flows/workspace.ts';
import type { Env } from '#git/env.ts';
import type { Repository } from '#git/repository.ts';
import type { Program } from '#hooks/start.ts';
import type { ShimParts } from './shim.ts';

/** Where hooks are to be set up. */
export interface HookPlace {
  repository: Repository;
  env: Env;
  /** of the user */
  home: string;
  shim: ShimParts;
}

/** The place of a workspace's repository; RelayError `not-a-repository` outside one. @param program how relay is called */
export function hookPlaceOf(ws: Workspace, [node, relay]: Program): HookPlace {
  const variables = adapters.flatMap(({ id, hooks }) => (hooks ? [{ agent: id, variable: hooks.variable }] : []));
  return { repository: needRepository(ws), env: ws.env, home: ws.home, shim: { node, relay, variables, trailer: ws.settings.link.trailer } };
}
