/**
 * Descriptions of the fields of answers, by name: a name means the same in every answer, so it is described once. A schema that describes a
 * field itself overrides them. The unit of a quantity stands in its schema (`x-unit`).
 */
import { requestFields } from "./requests.ts";
import { serviceFields } from "./service.ts";
import { signalFields } from "./signals.ts";

const notes: Readonly<Record<string, string>> = { ...serviceFields, ...signalFields, ...requestFields };

export const noteOnField = (name: string): string | undefined => (Object.hasOwn(notes, name) ? notes[name] : undefined);
export const notedFields: readonly string[] = Object.keys(notes);
