/**
 * What a field of an answer is, by its name: one word is one thing in every answer, so that it is said once. A schema that has more to
 * say of a field says it itself, and these do not count there. The unit of a quantity stands in its schema (`x-unit`).
 */
import { requestFields } from "./requests.ts";
import { serviceFields } from "./service.ts";
import { signalFields } from "./signals.ts";

const notes: Readonly<Record<string, string>> = { ...serviceFields, ...signalFields, ...requestFields };

export const noteOnField = (name: string): string | undefined => (Object.hasOwn(notes, name) ? notes[name] : undefined);
export const notedFields: readonly string[] = Object.keys(notes);
