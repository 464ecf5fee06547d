import * as z from 'zod';
import { settingsSchema } from '#config/schema.ts';
import { FORMAT_VERSION, streamHeaderSchema } from '#session/record.ts';
import { storedSchema } from '#session/stored-schema.ts';
import { documents } from './documents.ts';

/** The published JSON schemas, by file name in docs/. */
export function schemaFiles(): Record<string, string> {
  return {
    'relayrc.schema.json': text({
      title: 'Settings of relay',
      description: '.relayrc and config.jsonc: JSON with comments and trailing commas.',
      ...z.toJSONSchema(settingsSchema, { io: 'input' }),
    }),
    'output.schema.json': text({
      title: 'What the commands print under --json',
      description: 'One definition a command. Fields may be added; readers pass over those they do not know.',
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: Object.fromEntries(Object.entries(documents).map(([command, schema]) => [command, open(schema)])),
    }),
    'session.schema.json': text({
      title: `A line of a relay session stream, format version ${FORMAT_VERSION}`,
      description: 'The first line of a stream is a header, every other line a record. docs/format.md says what the fields mean.',
      ...z.toJSONSchema(z.union([streamHeaderSchema, storedSchema]), { io: 'input' }),
    }),
  };
}

/** The JSON schema of a document, open for fields to come. */
function open(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return rest;
}

const text = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;
