/**
 * Descriptions of response fields by name, because a name has the same meaning in all responses. A description in a schema takes precedence over
 * them; the reference for agents shows only descriptions in schemas. The unit of a quantity is in its schema (`x-unit`).
 */
import { requestFields } from "./requests.ts";
import { serviceFields } from "./service.ts";
import { signalFields } from "./signals.ts";

const notes: Readonly<Record<string, string>> = { ...serviceFields, ...signalFields, ...requestFields };

export const noteOnField = (name: string): string | undefined => (Object.hasOwn(notes, name) ? notes[name] : undefined);
export const notedFields: readonly string[] = Object.keys(notes);
