import type { Adapter } from '#adapters/adapter.ts';
import type { Conversation, Streams } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import type { Source } from './import-source.ts';

/** What does not go along and no adapter tells of: unknown and unreadable lines, abandoned branches, what lies beside. */
export const sourceLosses = (streams: Streams, conversation: Conversation, source: Source, target: Adapter): Loss[] => [
  ...unknownRecords(streams, source, target),
  ...abandoned(conversation, source, target),
  ...leftOut(source),
];

/** The same agent gets these lines as they are. */
function unknownRecords(streams: Streams, source: Source, target: Adapter): Loss[] {
  if (source.loaded.card.agent === target.id) return [];
  const losses: Loss[] = [];
  for (const [stream, records] of streams) {
    records.forEach((record, n) => {
      if (record.type === 'event' && record.kind === 'unknown')
        losses.push({
          record: n,
          stream,
          kind: 'unknown-record',
          action: 'left-out',
          reason: `Record type ${JSON.stringify(record.data?.name ?? '?')} is not known to this relay; it is kept in the stored session.`,
        });
      if (record.type === 'raw' && (record.text ?? record.base64) !== '')
        losses.push({
          record: n,
          stream,
          kind: 'unreadable-line',
          action: 'left-out',
          reason:
            record.eol === false
              ? 'The last line is cut; it is kept as it is in the stored session.'
              : 'This line is no record; it is kept as it is in the stored session.',
        });
    });
  }
  return losses;
}

function abandoned(conversation: Conversation, source: Source, target: Adapter): Loss[] {
  if (!conversation.abandoned || source.loaded.card.agent === target.id) return [];
  return [
    {
      record: null,
      kind: 'branch',
      action: 'left-out',
      reason: `${conversation.abandoned} messages on abandoned branches (rewound or rolled back) are not part of what goes on.`,
    },
  ];
}

const leftOut = (source: Source): Loss[] =>
  source.loaded.leftOut.map((what) => ({ record: null, kind: 'beside', action: 'left-out', reason: `Not taken along: ${what}.` }));
