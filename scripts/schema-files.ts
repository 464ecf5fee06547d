import * as z from 'zod';
import { settingsSchema } from '#config/schema.ts';
import { FORMAT_VERSION, recordSchema, streamHeaderSchema } from '#session/record.ts';

/** The published JSON schemas, by file name in docs/. */
export function schemaFiles(): Record<string, string> {
  return {
    'relayrc.schema.json': text({
      title: 'Settings of relay',
      description: '.relayrc and config.jsonc: JSON with comments and trailing commas.',
      ...z.toJSONSchema(settingsSchema, { io: 'input' }),
    }),
    'session.schema.json': text({
      title: `A line of a relay session stream, format version ${FORMAT_VERSION}`,
      description: 'The first line of a stream is a header, every other line a record. docs/format.md says what the fields mean.',
      ...z.toJSONSchema(z.union([streamHeaderSchema, recordSchema]), { io: 'input' }),
    }),
  };
}

const text = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;
