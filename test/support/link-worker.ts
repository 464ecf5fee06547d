import { recordCommits } from '#flows/link.ts';
import { workspaceIn } from './linked.ts';

/** Records commits one by one for one session: `<checkout> <commit>…`. Several of these run at once. */
const [project = '', ...commits] = process.argv.slice(2);
const ws = await workspaceIn(project, process.env);
for (const commit of commits) await recordCommits(ws, [{ commit, sessions: [{ agent: 'claude-code', session: 'one', how: 'variable' }] }]);
