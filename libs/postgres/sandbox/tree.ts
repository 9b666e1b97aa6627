/** PostgreSQL's parse tree as it comes from the parser, and how to go through it. */
import { kindOfField, valueFields } from "./grammar.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Node {
	kind: string;
	fields: Fields;
}

const isObject = (value: unknown): value is Fields =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** `{ FuncCall: {...} }`, or the bare fields where the name of the field tells the kind. Undefined for a null node, `{}`. */
export function nodeOf(value: unknown, field: string): Node | undefined {
	if (!isObject(value)) return undefined;
	const keys = Object.keys(value);
	const [key = ""] = keys;
	if (keys.length === 0) return undefined;
	const inner = value[key];
	if (keys.length === 1 && /^[A-Z]/.test(key) && isObject(inner)) return { kind: key, fields: inner };
	return { kind: kindOfField[field] ?? `an unknown ${field}`, fields: value };
}

/** The nodes of one field, be it one or a list. */
export function nodesOf(fields: Fields, field: string): Node[] {
	const value = fields[field];
	const values = Array.isArray(value) ? value : [value];
	return values.flatMap((each) => nodeOf(each, field) ?? []);
}

/** The one node of a field. */
export const childOf = (fields: Fields, field: string): Node | undefined => nodeOf(fields[field], field);

/** All nodes below, field by field. */
export function childrenOf({ fields }: Node): Node[] {
	return Object.keys(fields).flatMap((field) => (valueFields.has(field) ? [] : nodesOf(fields, field)));
}

/** The names in a list of String nodes: `["pg_catalog", "extract"]`. */
export function namesOf(fields: Fields, field: string): string[] {
	return nodesOf(fields, field).map((node) => (node.kind === "String" ? String(node.fields.sval ?? "") : ""));
}

export const textOf = (fields: Fields, field: string): string => {
	const value = fields[field];
	return typeof value === "string" ? value : "";
};

/** A constant, or one with a cast: as it was written, without quotes. Undefined where it has to be computed. */
export function literalOf(node: Node | undefined): { text: string; isText: boolean } | undefined {
	if (node?.kind === "TypeCast") return literalOf(childOf(node.fields, "arg"));
	if (node?.kind !== "A_Const") return undefined;
	const { ival, fval, boolval, sval } = node.fields as Record<string, Fields | undefined>;
	if (sval !== undefined) return { text: String(sval.sval ?? ""), isText: true };
	// The parser leaves out what is zero or false.
	if (ival !== undefined) return { text: String(ival.ival ?? 0), isText: false };
	if (fval !== undefined) return { text: String(fval.fval ?? 0), isText: false };
	return { text: boolval === undefined ? "" : String(boolval.boolval ?? false), isText: false };
}

/** Bytes from the start of the text; the parser leaves out 0 and says -1 where it does not know. */
export function byteOf({ fields }: Node): number | undefined {
	const { location } = fields;
	return typeof location === "number" && location >= 0 ? location : undefined;
}
