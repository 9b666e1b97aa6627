/** A search over endpoints, their parameters and the fields of their responses. */
import { fieldsOf } from "#libs/contract/schemas/fields.ts";
import type { Endpoint } from "./document.ts";

export interface Entry {
	endpoint: Endpoint;
	/** Undefined for the endpoint itself. */
	part?: { kind: "parameter" | "field"; name: string; text: string };
	/** Searched, in lower case, as is the text. */
	name: string;
	text: string;
}

const mostHits = 20;

export function indexOf(endpoints: readonly Endpoint[]): Entry[] {
	const own = endpoints.map((endpoint) => ({
		endpoint,
		name: `${endpoint.method} ${endpoint.path} ${endpoint.id}`.toLowerCase(),
		text: `${endpoint.summary} ${endpoint.group}`.toLowerCase(),
	}));
	return [...own, ...endpoints.flatMap(partsOf)];
}

function partsOf(endpoint: Endpoint): Entry[] {
	const [, answer] = endpoint.answers.find(([type]) => type.includes("json")) ?? [];
	const fields = answer === undefined ? [] : fieldsOf(answer.schema).slice(1);
	const parts = [
		...endpoint.parameters.map(({ name, description }) => ({ kind: "parameter" as const, name, text: description })),
		...fields.map(({ path, description = "" }) => ({ kind: "field" as const, name: path, text: description })),
	];
	return parts.map((part) => ({
		endpoint,
		part,
		name: part.name.toLowerCase(),
		text: part.text.toLowerCase(),
	}));
}

/** Entries with every word. A whole name ranks before the beginning of one, then any part of one, then the text. */
export function found(index: readonly Entry[], typed: string): Entry[] {
	const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return [];
	return index
		.map((entry) => ({ entry, points: pointsOf(entry, words) }))
		.filter(({ points }) => points > 0)
		.sort((a, b) => b.points - a.points)
		.slice(0, mostHits)
		.map(({ entry }) => entry);
}

function pointsOf({ name, text, part }: Entry, words: readonly string[]): number {
	const names = name.split(/[^a-z0-9_]+/);
	let points = 0;
	for (const word of words) {
		const own = pointsOfWord(name, names, text, word);
		if (own === 0) return 0;
		points += own;
	}
	// Among equal matches, endpoints rank before parameters, and parameters before fields.
	return points * 4 + (part === undefined ? 3 : part.kind === "parameter" ? 2 : 1);
}

function pointsOfWord(name: string, names: readonly string[], text: string, word: string): number {
	if (name === word || names.includes(word)) return 8;
	if (names.some((each) => each.startsWith(word))) return 5;
	if (name.includes(word)) return 3;
	return text.includes(word) ? 1 : 0;
}
