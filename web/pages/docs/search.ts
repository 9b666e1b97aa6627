/** A search over guides, endpoints, their parameters and the fields of their responses. */
import { fieldsOf } from "#libs/contract/schemas/fields.ts";
import type { DescribedGuide, Endpoint } from "./document.ts";

export interface Entry {
	title: string;
	address: string;
	/** Undefined for the endpoint or the guide itself. */
	part?: { kind: "section" | "parameter" | "field"; name: string };
	/** The name that is searched. It is in lower case, like `text`. */
	name: string;
	text: string;
}

const maxHits = 20;

export const buildIndex = (endpoints: readonly Endpoint[], guides: readonly DescribedGuide[]): Entry[] => [
	...guides.flatMap(guideEntries),
	...endpoints.flatMap(endpointEntries),
];

function guideEntries({ title, path, lead, sections }: DescribedGuide): Entry[] {
	const parts = sections.map((section) => ({
		...{ title, address: section.address, part: { kind: "section" as const, name: section.title } },
		...{ name: section.title.toLowerCase(), text: "" },
	}));
	return [{ title, address: path, name: title.toLowerCase(), text: lead.toLowerCase() }, ...parts];
}

function endpointEntries(endpoint: Endpoint): Entry[] {
	const { id, method, path, summary, group } = endpoint;
	const at = { title: `${method} ${path}`, address: `#${id}` };
	const [, answer] = endpoint.answers.find(([type]) => type.includes("json")) ?? [];
	const fields = answer === undefined ? [] : fieldsOf(answer.schema).slice(1);
	const parts = [
		...endpoint.parameters.map(({ name, description }) => ({ kind: "parameter" as const, name, text: description })),
		...fields.map(({ path, description = "" }) => ({ kind: "field" as const, name: path, text: description })),
	];
	return [
		{ ...at, name: `${method} ${path} ${id}`.toLowerCase(), text: `${summary} ${group}`.toLowerCase() },
		...parts.map(({ kind, name, text }) => ({
			...{ ...at, part: { kind, name } },
			...{ name: name.toLowerCase(), text: text.toLowerCase() },
		})),
	];
}

/**
 * Finds the entries that contain every word. A match with a whole name ranks first, then with the beginning of a name, then with any part of a name,
 * then with the text.
 */
export function searchIndex(index: readonly Entry[], typed: string): Entry[] {
	const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return [];
	return index
		.map((entry) => ({ entry, points: pointsOf(entry, words) }))
		.filter(({ points }) => points > 0)
		.sort((a, b) => b.points - a.points)
		.slice(0, maxHits)
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
	// Among equal matches, endpoints and guides rank before parameters and sections, and these before fields.
	return points * 4 + (part === undefined ? 3 : part.kind === "field" ? 1 : 2);
}

function pointsOfWord(name: string, names: readonly string[], text: string, word: string): number {
	if (name === word || names.includes(word)) return 8;
	if (names.some((each) => each.startsWith(word))) return 5;
	if (name.includes(word)) return 3;
	return text.includes(word) ? 1 : 0;
}
