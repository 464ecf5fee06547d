import { isSecretName } from '../context/names.ts';

/**
 * The name that a value in a JSON document stands under. Mostly its key; an item of a list has the list's name, or the
 * option before it (`["--password", "x"]`); a `value` has the name of its sibling (`{"name": "DB_PASSWORD", "value": "x"}`).
 * Looks only at what stands before the value, so that a walk over values and one over text agree.
 */
export interface Scope {
  list: boolean;
  /** name of the container */
  name: string;
  /** key of the current value */
  key: string;
  /** what a `name` or `key` before it said */
  label: string;
  /** the option before it */
  option: string;
}

export const scope = (list: boolean, name: string): Scope => ({ list, name, key: '', label: '', option: '' });

const GENERIC = /^(?:value|val|data|default|current|values|parametervalue)$/i;
const LABEL = /^(?:name|key|parameterkey|variable)$/i;
/** Asked of every key; few have a length of these. */
const isGeneric = (key: string): boolean => ((key.length >= 3 && key.length <= 7) || key.length === 14) && GENERIC.test(key);

export function nameIn(here: Scope): string {
  if (here.list) return here.option || here.name;
  return isGeneric(here.key) ? here.label || here.name : here.key;
}

const OPTION = /^--?[A-Za-z][\w-]{2,46}$/;

/** The name of a header or a variable: lists give it before its value, too. */
const HEADER = /^[A-Za-z]\w*(?:[-_.]\w+)+$/;

/** To be told of every value after it was looked at: the text of a string, "" for anything else. */
export function passed(here: Scope, value: string): void {
  if (here.list) here.option = value.length < 48 && (OPTION.test(value) || (HEADER.test(value) && isSecretName(value))) ? value : '';
  else if (value && value.length <= 64 && here.key.length <= 12 && LABEL.test(here.key)) here.label = value;
}
